#include "fuzz/answers.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace assay {
namespace {

using nlohmann::json;

// The least number of declined programs with a feature for each accepted one, if the feature explains programs.
constexpr std::int64_t kDeclinedForAccepted = 5;
// The least number of programs of a reason that share a feature, and the largest probability that they do by chance.
constexpr std::int64_t kLeast = 2;
constexpr double kChance = 0.01;
// The least number of accepted programs after which an op in none of them is suspect.
constexpr std::int64_t kAcceptedForSuspicion = 100;
// The number of kept programs of one reason, and the number of characters that distinguish reasons: later characters
// name values and shapes.
constexpr std::size_t kMostOfReason = 128, kReason = 36;
// Returns the beginning of a reason without its numbers and signs.
std::string KindOf(std::string_view reason) {
  std::string kind;
  for (const char c : reason.substr(0, kReason)) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == ' ' || c == '.' || c == '-' || c == '_') kind += c;
  }
  return kind;
}

}  // namespace

bool DeclinedFeatures::HasOneOf(const std::vector<std::string>& features) const {
  return std::ranges::any_of(features, [&](const std::string& feature) { return names.contains(feature); });
}

Answers::Ids Answers::IdsOf(const std::vector<std::string>& features) {
  Ids ids;
  for (const std::string& feature : features) {
    const auto [at, is_new] = ids_.emplace(feature, names_.size());
    if (is_new) {
      names_.push_back(feature);
      accepted_.push_back(0);
      rejected_.push_back(0);
    }
    ids.push_back(at->second);
  }
  return ids;
}

void Answers::Add(const AnsweredProgram& program) {
  if (program.answer == Answer::kNone) return;
  Ids ids = IdsOf(program.features);
  if (program.answer == Answer::kAccepted) {
    ++accepted_programs_;
    for (const std::size_t id : ids) ++accepted_[id];
    return;
  }
  for (const std::size_t id : ids) ++rejected_[id];
  std::vector<Ids>& alike = declined_[KindOf(program.reason)];
  if (alike.size() == kMostOfReason) alike.erase(alike.begin());
  alike.push_back(std::move(ids));
}

DeclinedFeatures Answers::Learn() const {
  std::vector<const std::vector<Ids>*> reasons;
  for (const auto& [reason, programs] : declined_) reasons.push_back(&programs);
  std::ranges::stable_sort(reasons, std::greater(), [](const auto* programs) { return programs->size(); });
  std::set<std::size_t> learnt;
  for (const std::vector<Ids>* programs : reasons) {
    std::vector<const Ids*> unexplained;
    for (const Ids& ids : *programs) {
      if (std::ranges::none_of(ids, [&](std::size_t id) { return learnt.contains(id); })) unexplained.push_back(&ids);
    }
    LearnFrom(std::move(unexplained), learnt);
  }
  if (accepted_programs_ >= kAcceptedForSuspicion) {
    for (const std::vector<Ids>* programs : reasons) {
      for (const Ids& ids : *programs) Suspect(ids, learnt);
    }
  }
  DeclinedFeatures features;
  for (const std::size_t id : learnt) features.names.insert(names_[id]);
  return features;
}

void Answers::Suspect(const Ids& declined, std::set<std::size_t>& learnt) const {
  if (std::ranges::any_of(declined, [&](std::size_t id) { return learnt.contains(id); })) return;
  std::optional<std::size_t> suspect;
  for (const std::size_t id : declined) {
    const bool is_op = names_[id].find(' ') == std::string::npos;
    if (!is_op || accepted_[id] > 0) continue;
    if (suspect) return;
    suspect = id;
  }
  if (suspect) learnt.insert(*suspect);
}

void Answers::LearnFrom(std::vector<const Ids*> unexplained, std::set<std::size_t>& learnt) const {
  std::map<std::size_t, std::int64_t> shared;  // the unexplained programs that have the feature, by id
  for (const Ids* ids : unexplained) {
    for (const std::size_t id : *ids) ++shared[id];
  }
  while (!unexplained.empty()) {
    const auto count = static_cast<double>(unexplained.size());
    const double by_chance = count / (count + static_cast<double>(accepted_programs_));
    std::optional<std::size_t> best;
    for (const auto& [id, number] : shared) {
      const bool explains = number >= kLeast && accepted_[id] * kDeclinedForAccepted <= rejected_[id] &&
                            static_cast<double>(number) * std::log(by_chance) < std::log(kChance);
      const bool is_better =
          !best || number > shared.at(*best) || (number == shared.at(*best) && IsMoreGeneral(id, *best));
      if (explains && is_better) best = id;
    }
    if (!best) return;
    learnt.insert(*best);
    std::erase_if(unexplained, [&](const Ids* ids) {
      if (std::ranges::find(*ids, *best) == ids->end()) return false;
      for (const std::size_t id : *ids) --shared[id];
      return true;
    });
  }
}

json Answers::ToJson() const {
  return {{"features", names_},
          {"accepted", accepted_},
          {"rejected", rejected_},
          {"accepted_programs", accepted_programs_},
          {"declined", declined_}};
}

Answers Answers::FromJson(const json& from) {
  Answers answers;
  from.at("features").get_to(answers.names_);
  from.at("accepted").get_to(answers.accepted_);
  from.at("rejected").get_to(answers.rejected_);
  from.at("accepted_programs").get_to(answers.accepted_programs_);
  from.at("declined").get_to(answers.declined_);
  const std::size_t count = answers.names_.size();
  bool is_whole = answers.accepted_.size() == count && answers.rejected_.size() == count;
  for (const auto& [reason, programs] : answers.declined_) {
    for (const Ids& ids : programs) is_whole &= std::ranges::all_of(ids, [&](std::size_t id) { return id < count; });
  }
  if (!is_whole) throw json::other_error::create(501, "counts and programs must be of the listed features", nullptr);
  for (std::size_t id = 0; id < count; ++id) answers.ids_[answers.names_[id]] = id;
  return answers;
}

json ToJson(const AnsweredProgram& program) {
  return {{"features", program.features}, {"answer", static_cast<int>(program.answer)}, {"reason", program.reason}};
}

AnsweredProgram AnsweredProgramFromJson(const json& from) {
  AnsweredProgram program;
  from.at("features").get_to(program.features);
  const int answer = from.at("answer").get<int>();
  if (answer == static_cast<int>(Answer::kAccepted)) program.answer = Answer::kAccepted;
  if (answer == static_cast<int>(Answer::kDeclined)) program.answer = Answer::kDeclined;
  from.at("reason").get_to(program.reason);
  return program;
}

json ToJson(const DeclinedFeatures& features) { return {{"names", features.names}}; }

DeclinedFeatures DeclinedFeaturesFromJson(const json& from) {
  DeclinedFeatures features;
  from.at("names").get_to(features.names);
  return features;
}

}  // namespace assay
