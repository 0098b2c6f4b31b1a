// The answers of a backend to programs, and the features that explain the declined ones.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/feature.h"

namespace assay {

// The features for which a backend declines programs.
struct DeclinedFeatures {
  std::set<std::string> names;
  std::set<std::string> suspects;  // each may explain a declined program that no name explains
  // The ops and element types of accepted programs, if the backend has declined any program.
  std::optional<std::set<std::string>> proven;

  // Return how many ops, types and other subjects of `features` are among `names`, among `suspects`, and not proven.
  // All features of an op count once, and so do the parts of an asynchronous op: no program has one of them alone.
  std::int64_t KnownAmong(const std::vector<Feature>& features) const;
  std::int64_t SuspectsAmong(const std::vector<Feature>& features) const;
  std::int64_t UnprovenAmong(const std::vector<Feature>& features) const;
};

enum class Answer { kNone, kAccepted, kDeclined };

// The features of a program, and the backend's answer.
struct AnsweredProgram {
  std::vector<Feature> features;
  Answer answer = Answer::kNone;
  std::string reason;  // why the backend declined it
};

// Declined programs with one cause.
struct DeclineGroup {
  std::string kind;  // the first words of the reason
  std::string op;    // the op, else the type ("type f8e3m4"), else the attribute that the reason names; may be empty

  // "conversion to StableHLO Unable to par (collective-permute)"
  std::string ToString() const;
  auto operator<=>(const DeclineGroup&) const = default;
};
DeclineGroup GroupOf(const AnsweredProgram& declined);

nlohmann::json ToJson(const AnsweredProgram& program);
// Throws nlohmann::json::exception if a member is missing or of another type.
AnsweredProgram AnsweredProgramFromJson(const nlohmann::json& json);
nlohmann::json ToJson(const DeclinedFeatures& features);
// Throws like AnsweredProgramFromJson.
DeclinedFeatures DeclinedFeaturesFromJson(const nlohmann::json& json);

// The answers of a backend, and the features that explain the declined programs.
class Answers {
 public:
  void Add(const AnsweredProgram& program);

  // Returns few features that explain as many declined programs as possible. For the programs of a group, it takes the
  // feature that most of them share, unless accepted programs have it too or it may be shared by chance. It repeats
  // this for the programs without that feature, and then for the remaining programs of all groups. A program that
  // nothing explains has suspects among the features that no accepted program has: the most general one of the op, type
  // or attribute that its reason names, and its ops and types. If the reason names one of these, it is the only one.
  DeclinedFeatures Learn() const;

  nlohmann::json ToJson() const;
  // Throws nlohmann::json::exception if a member is missing, of another type, or names a feature that is not listed.
  static Answers FromJson(const nlohmann::json& json);

 private:
  using Ids = std::vector<std::size_t>;
  class Explainer;

  // Returns the ids of features. New ones get theirs in alphabetical order.
  Ids IdsOf(const std::vector<Feature>& features);
  // Adds the suspects of a program to `suspects`; `named` is the op, type or attribute that its reason names.
  void AddSuspects(const Ids& declined, const std::string& named, std::set<std::string>& suspects) const;
  // Compares two features that explain equally many programs: that of the op explains them better, then the more
  // general one.
  bool IsBetter(std::size_t a, std::size_t b, const std::string& op) const;

  static constexpr std::size_t kNoId = SIZE_MAX;
  void SetId(Feature feature, std::size_t id);

  std::vector<std::size_t> ids_;                       // by Feature::number; kNoId: none
  std::vector<std::string> names_;                     // by id
  std::vector<std::int64_t> accepted_, rejected_;      // the number of programs that have the feature, by id
  std::map<DeclineGroup, std::vector<Ids>> declined_;  // the features of the declined programs
  std::int64_t accepted_programs_ = 0;
};

// Returns the ops that a text names and that are features of a program, in the order of the text: `shuffle` for
// "UNIMPLEMENTED: shuffle", `all-to-all` for "'stablehlo.all_to_all' op requires ...". Some ops have the name of a
// word: "and" counts only if the text has no name in quotation marks, in front of a bracket, or with a prefix or
// hyphen. Element types follow the ops: `type f8e3m4` for "element type f8e3m4 at the entry".
std::vector<std::string> OpsNamedIn(std::string_view text, const std::vector<std::string>& features);

// Returns the attribute that a text names, as a feature: "attribute result_accuracy" for `unexpected attribute
// "result_accuracy"`; empty if it names none.
std::string AttributeNamedIn(std::string_view text);

// True if a feature is the named op, type or attribute, or a property of it: "pad", "pad f32" and "pad padding
// negative" of "pad", "convolution algorithm" of "attribute algorithm".
bool IsNamedBy(std::string_view feature, std::string_view named);

// Returns the op that a feature is a property of, without the ending of an asynchronous part: "all-gather" for
// "all-gather-done f32". Returns any other feature itself: "type s4", "called add".
std::string_view OwnerOf(std::string_view feature);

}  // namespace assay
