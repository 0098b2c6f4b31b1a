#include "fuzz/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "interpreter/hlo/op.h"
#include "interpreter/types/ascii.h"

namespace assay {
namespace {

using nlohmann::json;

// The least number of declined programs with a feature for each accepted one, if the feature explains programs.
constexpr std::int64_t kDeclinedForAccepted = 5;
// The least number of programs of a reason that share a feature, and the largest probability that they do by chance.
constexpr std::int64_t kLeast = 2;
constexpr double kChance = 0.01;
// The least number of accepted programs after which a feature that none of them has is suspect.
constexpr std::int64_t kAcceptedForSuspicion = 20;
// The number of kept programs of one reason, and the number of characters that distinguish reasons: later characters
// name values and shapes.
constexpr std::size_t kMostOfReason = 128, kReason = 36;

// Returns the beginning of a reason without its numbers and signs.
std::string KindOf(std::string_view reason) {
  std::string kind;
  for (const char c : reason.substr(0, kReason)) {
    if (IsAsciiLetter(c) || c == ' ' || c == '.' || c == '-' || c == '_') kind += c;
  }
  return kind;
}

// Returns the number of owners of the features for which `is_one` holds.
template <class IsOne>
std::int64_t CountOwners(const std::vector<Feature>& features, const IsOne& is_one) {
  std::set<std::string_view> owners;
  for (const Feature feature : features) {
    if (is_one(feature.name())) owners.insert(OwnerOf(feature.name()));
  }
  return std::ssize(owners);
}

bool IsOpOrType(std::string_view feature) {
  return feature.find(' ') == std::string_view::npos || feature.starts_with("type ");
}

}  // namespace

std::int64_t DeclinedFeatures::KnownAmong(const std::vector<Feature>& features) const {
  if (names.empty()) return 0;
  return CountOwners(features, [this](const std::string& name) { return names.contains(name); });
}

std::int64_t DeclinedFeatures::SuspectsAmong(const std::vector<Feature>& features) const {
  if (suspects.empty()) return 0;
  return CountOwners(features, [this](const std::string& name) { return suspects.contains(name); });
}

std::int64_t DeclinedFeatures::UnprovenAmong(const std::vector<Feature>& features) const {
  if (!proven) return 0;
  return CountOwners(features, [this](const std::string& name) { return IsOpOrType(name) && !proven->contains(name); });
}

std::string DeclineGroup::ToString() const { return op.empty() ? kind : fmt::format("{} ({})", kind, op); }

DeclineGroup GroupOf(const AnsweredProgram& declined) {
  const std::vector<std::string> ops = OpsNamedIn(declined.reason, NamesOf(declined.features));
  return {KindOf(declined.reason), ops.empty() ? AttributeNamedIn(declined.reason) : ops[0]};
}

void Answers::SetId(Feature feature, std::size_t id) {
  if (ids_.size() <= feature.number()) ids_.resize(feature.number() + 1, kNoId);
  ids_[feature.number()] = id;
}

Answers::Ids Answers::IdsOf(const std::vector<Feature>& features) {
  Ids ids;
  ids.reserve(features.size());
  std::vector<Feature> unknown;
  for (const Feature feature : features) {
    const std::size_t number = feature.number(), id = number < ids_.size() ? ids_[number] : kNoId;
    id != kNoId ? ids.push_back(id) : unknown.push_back(feature);
  }
  std::ranges::sort(unknown, [](Feature a, Feature b) { return a.name() < b.name(); });
  for (const Feature feature : unknown) {
    SetId(feature, names_.size());
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

// Finds the features that explain declined programs, and the programs that remain.
class Answers::Explainer {
 public:
  // The answers must outlive the explainer.
  explicit Explainer(const Answers& answers) : answers_(answers), shared_(answers.names_.size()) {
    for (const auto& [group, programs] : answers.declined_) {
      for (const Ids& ids : programs) unexplained_.push_back({&ids, &group, std::ssize(programs)});
    }
    std::ranges::stable_sort(unexplained_, std::greater(), &Program::alike);
    for (const Program& program : unexplained_) Count(*program.ids, 1, shared_);
  }

  // Explains programs of each group, then those of any group: one cause may have many reasons, such as one for each op
  // of a type.
  void Explain() {
    std::vector<const DeclineGroup*> groups;
    for (const Program& program : unexplained_) {
      if (groups.empty() || groups.back() != program.group) groups.push_back(program.group);
    }
    for (const DeclineGroup* group : groups) {
      Explain(group->op, kChance, [=](const Program& program) { return program.group == group; });
    }
    // The more features are tried, the likelier is one of them shared by chance.
    Explain({}, kChance / static_cast<double>(shared_.size()), [](const Program&) { return true; });
  }

  const std::set<std::size_t>& learnt() const { return learnt_; }

  template <class Visit>
  void ForUnexplained(const Visit& visit) const {
    for (const Program& program : unexplained_) visit(*program.ids, program.group->op);
  }

 private:
  struct Program {
    const Ids* ids;
    const DeclineGroup* group;
    std::int64_t alike;  // the number of programs of its group
  };
  using Counts = std::vector<std::int64_t>;  // of programs, by the id of a feature

  static void Count(const Ids& ids, std::int64_t times, Counts& counts) {
    for (const std::size_t id : ids) counts[id] += times;
  }

  // Learns from the unexplained programs that `is_one` selects.
  template <class IsOne>
  void Explain(const std::string& op, double chance, const IsOne& is_one) {
    Counts shared(shared_.size());
    std::int64_t number = 0;
    for (const Program& program : unexplained_) {
      if (!is_one(program)) continue;
      Count(*program.ids, 1, shared);
      ++number;
    }
    while (const auto best = Best(op, chance, number, shared)) {
      learnt_.insert(*best);
      std::erase_if(unexplained_, [&](const Program& program) {
        if (std::ranges::find(*program.ids, *best) == program.ids->end()) return false;
        Count(*program.ids, -1, shared_);
        if (!is_one(program)) return true;
        Count(*program.ids, -1, shared);
        --number;
        return true;
      });
    }
  }

  // Returns the feature that explains most of `number` programs, of which `shared` have it.
  std::optional<std::size_t> Best(const std::string& op, double chance, std::int64_t number,
                                  const Counts& shared) const {
    const auto count = static_cast<double>(number), accepted = static_cast<double>(answers_.accepted_programs_);
    const double by_chance = count / (count + accepted);
    std::optional<std::size_t> best;
    for (std::size_t id = 0; id < shared.size(); ++id) {
      if (shared[id] < kLeast || answers_.accepted_[id] * kDeclinedForAccepted > shared_[id]) continue;
      if (static_cast<double>(shared[id]) * std::log(by_chance) >= std::log(chance)) continue;
      const bool is_more = best && shared[id] > shared[*best], is_as_many = best && shared[id] == shared[*best];
      if (!best || is_more || (is_as_many && answers_.IsBetter(id, *best, op))) best = id;
    }
    return best;
  }

  const Answers& answers_;
  std::vector<Program> unexplained_;  // those of the largest group first
  Counts shared_;                     // of the unexplained programs
  std::set<std::size_t> learnt_;
};

DeclinedFeatures Answers::Learn() const {
  DeclinedFeatures features;
  if (declined_.empty()) return features;
  Explainer explainer(*this);
  explainer.Explain();
  for (const std::size_t id : explainer.learnt()) features.names.insert(names_[id]);
  if (accepted_programs_ >= kAcceptedForSuspicion) {
    explainer.ForUnexplained(
        [&](const Ids& ids, const std::string& named) { AddSuspects(ids, named, features.suspects); });
  }
  features.proven.emplace();
  for (std::size_t id = 0; id < names_.size(); ++id) {
    if (accepted_[id] > 0 && IsOpOrType(names_[id])) features.proven->insert(names_[id]);
  }
  return features;
}

void Answers::AddSuspects(const Ids& declined, const std::string& named, std::set<std::string>& suspects) const {
  std::optional<std::size_t> best;
  std::vector<std::size_t> unproven;
  for (const std::size_t id : declined) {
    if (accepted_[id] > 0) continue;
    if (IsOpOrType(names_[id])) unproven.push_back(id);
    if (named.empty() || !IsNamedBy(names_[id], named)) continue;
    const bool is_more = best && rejected_[id] > rejected_[*best];
    const bool is_as_many = best && rejected_[id] == rejected_[*best];
    if (!best || is_more || (is_as_many && IsBetter(id, *best, named))) best = id;
  }
  if (best) suspects.insert(names_[*best]);
  if (best && names_[*best] == named) return;
  for (const std::size_t id : unproven) suspects.insert(names_[id]);
}

bool Answers::IsBetter(std::size_t a, std::size_t b, const std::string& op) const {
  const auto rank = [&](std::size_t id) {
    return std::pair(op.empty() || IsNamedBy(names_[id], op) ? 0 : 1, names_[id].size());
  };
  return rank(a) < rank(b);
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
  for (std::size_t id = 0; id < count; ++id) answers.SetId(Feature(answers.names_[id]), id);
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

json ToJson(const DeclinedFeatures& features) {
  json to = {{"names", features.names}, {"suspects", features.suspects}};
  if (features.proven) to["proven"] = *features.proven;
  return to;
}

DeclinedFeatures DeclinedFeaturesFromJson(const json& from) {
  DeclinedFeatures features;
  from.at("names").get_to(features.names);
  from.at("suspects").get_to(features.suspects);
  if (from.contains("proven")) features.proven = from.at("proven").get<std::set<std::string>>();
  return features;
}

namespace {

// True if a name is an op that reasons name as an operand or a shape, such as a tuple or a parameter.
bool IsStructure(std::string_view name) {
  const Op* const op = FindOp(name);
  return op != nullptr && (op->role == OpRole::kTuple || op->role == OpRole::kGetTupleElement ||
                           op->role == OpRole::kParameter || op->role == OpRole::kConstant);
}

bool IsOfName(char c) { return IsAsciiLetterOrDigit(c) || c == '_' || c == '-'; }

// A word of a text, with underscores as hyphens.
struct Word {
  std::string name;
  bool is_marked;  // by a quotation mark, a prefix, a bracket or a hyphen: it is no word of a sentence
};

std::vector<Word> WordsOf(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    std::size_t end = begin;
    while (end < text.size() && IsOfName(text[end])) ++end;
    if (end == begin) continue;
    Word word = {std::string(text.substr(begin, end - begin)), false};
    std::ranges::replace(word.name, '_', '-');
    const std::string_view before = begin == 0 ? "" : text.substr(begin - 1, 1);
    const std::string_view after = text.substr(end, 1);
    word.is_marked = before.find_first_of("\"'`%.") == 0 || after == "(" || word.name.find('-') != std::string::npos;
    words.push_back(std::move(word));
    begin = end;
  }
  return words;
}

}  // namespace

std::vector<std::string> OpsNamedIn(std::string_view text, const std::vector<std::string>& features) {
  std::vector<Word> words = WordsOf(text);
  if (!words.empty()) words.back().is_marked = true;
  std::vector<std::string> ops, types;
  const auto add = [&](std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::binary_search(features, name) && std::ranges::count(names, name) == 0) names.push_back(name);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].is_marked && !IsStructure(words[i].name)) add(ops, words[i].name);
    if (i > 0 && words[i - 1].name == "type") add(types, "type " + words[i].name);
  }
  ops.insert(ops.end(), types.begin(), types.end());
  return ops;
}

std::string AttributeNamedIn(std::string_view text) {
  std::vector<Word> words = WordsOf(text);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1].name != "attribute" || !words[i].is_marked) continue;
    std::ranges::replace(words[i].name, '-', '_');
    return "attribute " + words[i].name;
  }
  return {};
}

bool IsNamedBy(std::string_view feature, std::string_view named) {
  constexpr std::string_view kAttribute = "attribute ";
  if (named.starts_with(kAttribute)) return feature.ends_with(named.substr(kAttribute.size() - 1));
  return feature.starts_with(named) && (feature.size() == named.size() || feature[named.size()] == ' ');
}

std::string_view OwnerOf(std::string_view feature) {
  std::string_view op = feature.substr(0, feature.find(' '));
  if (FindOp(op) == nullptr) return feature;
  for (const std::string_view ending : {"-start", "-update", "-done"}) {
    if (op.ends_with(ending)) op.remove_suffix(ending.size());
  }
  return op;
}

}  // namespace assay
