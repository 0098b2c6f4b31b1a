// The answers of a backend to programs, and the features that explain the declined ones.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay {

// The features for which a backend declines programs.
struct DeclinedFeatures {
  std::set<std::string> names;

  bool HasOneOf(const std::vector<std::string>& features) const;
};

enum class Answer { kNone, kAccepted, kDeclined };

// The features of a program, and the backend's answer.
struct AnsweredProgram {
  std::vector<std::string> features;
  Answer answer = Answer::kNone;
  std::string reason;  // why the backend declined it
};

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

  // Returns few features that explain as many declined programs as possible. For the programs that were declined for
  // one reason, it takes the feature that most of them share, unless accepted programs have it too or it may be shared
  // by chance. It repeats this for the programs without that feature. After many accepted programs, an op that none of
  // them has explains a declined program alone.
  DeclinedFeatures Learn() const;

  nlohmann::json ToJson() const;
  // Throws nlohmann::json::exception if a member is missing, of another type, or names a feature that is not listed.
  static Answers FromJson(const nlohmann::json& json);

 private:
  using Ids = std::vector<std::size_t>;

  Ids IdsOf(const std::vector<std::string>& features);
  // Learns from the programs of one reason that no learnt feature explains.
  void LearnFrom(std::vector<const Ids*> unexplained, std::set<std::size_t>& learnt) const;
  // Learns the op of a program that nothing explains, if it is the only one that no accepted program has.
  void Suspect(const Ids& declined, std::set<std::size_t>& learnt) const;
  bool IsMoreGeneral(std::size_t a, std::size_t b) const { return names_[a].size() < names_[b].size(); }

  std::unordered_map<std::string, std::size_t> ids_;
  std::vector<std::string> names_;                    // by id
  std::vector<std::int64_t> accepted_, rejected_;     // the programs that have the feature, by id
  std::map<std::string, std::vector<Ids>> declined_;  // the features of the declined programs, by reason
  std::int64_t accepted_programs_ = 0;
};

}  // namespace assay
