#include "fuzz/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "fuzz/named_ops.h"

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
// The same for a feature of an op that the reason names.
constexpr std::int64_t kAcceptedForNamed = 20;
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

bool HasOneIn(const std::vector<Feature>& features, const std::set<std::string>& names) {
  if (names.empty()) return false;
  return std::ranges::any_of(features, [&](Feature feature) { return names.contains(feature.name()); });
}

}  // namespace

bool DeclinedFeatures::HasOneOf(const std::vector<Feature>& features) const { return HasOneIn(features, names); }

bool DeclinedFeatures::HasSuspect(const std::vector<Feature>& features) const { return HasOneIn(features, suspects); }

std::string DeclineGroup::ToString() const { return op.empty() ? kind : fmt::format("{} ({})", kind, op); }

DeclineGroup GroupOf(const AnsweredProgram& declined) {
  const std::vector<std::string> ops = OpsNamedIn(declined.reason, NamesOf(declined.features));
  return {KindOf(declined.reason), ops.empty() ? AttributeNamedIn(declined.reason) : ops[0]};
}

Answers::Ids Answers::IdsOf(const std::vector<Feature>& features) {
  Ids ids;
  std::vector<Feature> unknown;
  for (const Feature feature : features) {
    const auto known = ids_.find(feature);
    known != ids_.end() ? ids.push_back(known->second) : unknown.push_back(feature);
  }
  std::ranges::sort(unknown, {}, &Feature::name);
  for (const Feature feature : unknown) {
    ids_.emplace(feature, names_.size());
    ids.push_back(names_.size());
    names_.push_back(feature.name());
    accepted_.push_back(0);
    rejected_.push_back(0);
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
  std::ranges::sort(ids, {}, [this](std::size_t id) -> const std::string& { return names_[id]; });
  std::vector<Ids>& alike = declined_[GroupOf(program)];
  if (alike.size() == kMostOfReason) alike.erase(alike.begin());
  alike.push_back(std::move(ids));
}

DeclinedFeatures Answers::Learn() const {
  std::vector<const std::pair<const DeclineGroup, std::vector<Ids>>*> groups;
  for (const auto& group : declined_) groups.push_back(&group);
  std::ranges::stable_sort(groups, std::greater(), [](const auto* group) { return group->second.size(); });
  std::set<std::size_t> learnt, suspects;
  const auto is_explained = [&](const Ids& ids) {
    return std::ranges::any_of(ids, [&](std::size_t id) { return learnt.contains(id); });
  };
  const auto for_unexplained = [&](const auto& visit) {
    for (const auto* group : groups) {
      for (const Ids& ids : group->second) {
        if (!is_explained(ids)) visit(ids, group->first.op);
      }
    }
  };
  for (const auto* group : groups) {
    std::vector<const Ids*> unexplained;
    for (const Ids& ids : group->second) {
      if (!is_explained(ids)) unexplained.push_back(&ids);
    }
    LearnFrom(std::move(unexplained), group->first.op, learnt);
  }
  if (accepted_programs_ >= kAcceptedForSuspicion) {
    for_unexplained([&](const Ids& ids, const std::string&) {
      if (const auto op = OnlyNewOp(ids)) learnt.insert(*op);
    });
  }
  if (accepted_programs_ >= kAcceptedForNamed) {
    for_unexplained([&](const Ids& ids, const std::string& op) {
      if (const auto suspect = SuspectOf(ids, op)) suspects.insert(*suspect);
    });
  }
  DeclinedFeatures features;
  for (const std::size_t id : learnt) features.names.insert(names_[id]);
  for (const std::size_t id : suspects) features.suspects.insert(names_[id]);
  return features;
}

std::optional<std::size_t> Answers::OnlyNewOp(const Ids& declined) const {
  std::optional<std::size_t> only;
  for (const std::size_t id : declined) {
    const bool is_op = names_[id].find(' ') == std::string::npos;
    if (!is_op || accepted_[id] > 0) continue;
    if (only) return std::nullopt;
    only = id;
  }
  return only;
}

std::optional<std::size_t> Answers::SuspectOf(const Ids& declined, const std::string& op) const {
  std::optional<std::size_t> best;
  for (const std::size_t id : declined) {
    if (op.empty() || accepted_[id] > 0 || !IsOfOp(names_[id], op)) continue;
    const bool is_more = best && rejected_[id] > rejected_[*best];
    const bool is_as_many = best && rejected_[id] == rejected_[*best];
    if (!best || is_more || (is_as_many && IsBetter(id, *best, op))) best = id;
  }
  return best;
}

bool Answers::IsBetter(std::size_t a, std::size_t b, const std::string& op) const {
  const auto rank = [&](std::size_t id) {
    return std::pair(op.empty() || IsOfOp(names_[id], op) ? 0 : 1, names_[id].size());
  };
  return rank(a) < rank(b);
}

void Answers::LearnFrom(std::vector<const Ids*> unexplained, const std::string& op,
                        std::set<std::size_t>& learnt) const {
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
          !best || number > shared.at(*best) || (number == shared.at(*best) && IsBetter(id, *best, op));
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
  json declined = json::array();
  for (const auto& [group, programs] : declined_) {
    declined.push_back({{"kind", group.kind}, {"op", group.op}, {"programs", programs}});
  }
  return {{"features", names_},
          {"accepted", accepted_},
          {"rejected", rejected_},
          {"accepted_programs", accepted_programs_},
          {"declined", std::move(declined)}};
}

Answers Answers::FromJson(const json& from) {
  Answers answers;
  from.at("features").get_to(answers.names_);
  from.at("accepted").get_to(answers.accepted_);
  from.at("rejected").get_to(answers.rejected_);
  from.at("accepted_programs").get_to(answers.accepted_programs_);
  for (const json& group : from.at("declined")) {
    const DeclineGroup key = {group.at("kind").get<std::string>(), group.at("op").get<std::string>()};
    group.at("programs").get_to(answers.declined_[key]);
  }
  const std::size_t count = answers.names_.size();
  bool is_whole = answers.accepted_.size() == count && answers.rejected_.size() == count;
  for (const auto& [group, programs] : answers.declined_) {
    for (const Ids& ids : programs) is_whole &= std::ranges::all_of(ids, [&](std::size_t id) { return id < count; });
  }
  if (!is_whole) throw json::other_error::create(501, "counts and programs must be of the listed features", nullptr);
  for (std::size_t id = 0; id < count; ++id) answers.ids_.emplace(answers.names_[id], id);
  return answers;
}

json ToJson(const AnsweredProgram& program) {
  return {{"features", NamesOf(program.features)},
          {"answer", static_cast<int>(program.answer)},
          {"reason", program.reason}};
}

AnsweredProgram AnsweredProgramFromJson(const json& from) {
  AnsweredProgram program;
  for (const auto& name : from.at("features")) program.features.emplace_back(name.get<std::string>());
  const int answer = from.at("answer").get<int>();
  if (answer == static_cast<int>(Answer::kAccepted)) program.answer = Answer::kAccepted;
  if (answer == static_cast<int>(Answer::kDeclined)) program.answer = Answer::kDeclined;
  from.at("reason").get_to(program.reason);
  return program;
}

json ToJson(const DeclinedFeatures& features) { return {{"names", features.names}, {"suspects", features.suspects}}; }

DeclinedFeatures DeclinedFeaturesFromJson(const json& from) {
  DeclinedFeatures features;
  from.at("names").get_to(features.names);
  from.at("suspects").get_to(features.suspects);
  return features;
}

}  // namespace assay
