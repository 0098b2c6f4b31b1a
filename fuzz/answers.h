// The answers of a backend to programs, and the features that explain the declined ones.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "fuzz/feature.h"

namespace assay {

// The features for which a backend declines programs.
struct DeclinedFeatures {
  std::set<std::string> names;
  std::set<std::string> suspects;  // each explains a single program, whose reason names its op

  bool HasOneOf(const std::vector<Feature>& features) const;
  bool HasSuspect(const std::vector<Feature>& features) const;
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
  // this for the programs without that feature. After many accepted programs, an op that none of them has explains a
  // declined program alone. A program that nothing explains has a suspect, if its reason names an op: the most general
  // feature of this op that no accepted program has.
  DeclinedFeatures Learn() const;

  nlohmann::json ToJson() const;
  // Throws nlohmann::json::exception if a member is missing, of another type, or names a feature that is not listed.
  static Answers FromJson(const nlohmann::json& json);

 private:
  using Ids = std::vector<std::size_t>;

  // Returns the ids of features. New ones get theirs in alphabetical order.
  Ids IdsOf(const std::vector<Feature>& features);
  // Learns from the programs of a group that no learnt feature explains. `op` is the one of the group.
  void LearnFrom(std::vector<const Ids*> unexplained, const std::string& op, std::set<std::size_t>& learnt) const;
  // Returns the op of a program, if it is the only one that no accepted program has.
  std::optional<std::size_t> OnlyNewOp(const Ids& declined) const;
  // Returns the most general feature of an op that no accepted program has.
  std::optional<std::size_t> SuspectOf(const Ids& declined, const std::string& op) const;
  // Compares two features that explain equally many programs: that of the op explains them better, then the more
  // general one.
  bool IsBetter(std::size_t a, std::size_t b, const std::string& op) const;

  std::unordered_map<Feature, std::size_t> ids_;
  std::vector<std::string> names_;                     // by id
  std::vector<std::int64_t> accepted_, rejected_;      // the programs that have the feature, by id
  std::map<DeclineGroup, std::vector<Ids>> declined_;  // the features of the declined programs
  std::int64_t accepted_programs_ = 0;
};

}  // namespace assay
