#include "conformance/check_report.h"

#include <algorithm>

namespace assay {
namespace {

Standing StandingOf(const Outcome& outcome, const std::vector<std::string>& expected) {
  if (outcome.unjudged) return Standing::kUnjudged;
  const Verdict verdict = outcome.verdict();
  const bool is_expected = std::ranges::count(expected, VerdictName(verdict)) > 0;
  if (!expected.empty() && !is_expected) return Standing::kUnexpected;
  if (verdict == Verdict::kUnsupported) return Standing::kUnsupported;
  if (is_expected) return Standing::kExpected;
  if (verdict == Verdict::kWeak) return Standing::kWeak;
  return verdict >= Verdict::kFail ? Standing::kFailed : Standing::kPassed;
}

}  // namespace

std::string_view StandingName(Standing standing) {
  switch (standing) {
    case Standing::kPassed:
      return "passed";
    case Standing::kUnsupported:
      return "unsupported";
    case Standing::kExpected:
      return "expected";
    case Standing::kWeak:
      return "weak";
    case Standing::kFailed:
      return "failed";
    case Standing::kUnexpected:
      return "unexpected";
    case Standing::kUnjudged:
      return "unjudged";
  }
  return "";
}

const CheckEntry& CheckReport::Add(Outcome outcome) {
  std::vector<std::string> expected = expectations_.Of(outcome.name);
  const Standing standing = StandingOf(outcome, expected);
  entries_.push_back({std::move(outcome), standing, std::move(expected)});
  return entries_.back();
}

std::map<Verdict, int> CheckReport::verdicts() const {
  std::map<Verdict, int> counts;
  for (const CheckEntry& entry : entries_) {
    if (!entry.outcome.unjudged) ++counts[entry.outcome.verdict()];
  }
  return counts;
}

TypeMatrix CheckReport::types() const {
  TypeMatrix types;
  for (const auto& [outcome, standing, expected] : entries_) {
    if (outcome.unjudged) continue;
    for (const PrimitiveType type : outcome.types) types.Add(outcome.op, type, outcome.verdict());
  }
  return types;
}

int CheckReport::Count(Standing standing) const {
  return static_cast<int>(std::ranges::count(entries_, standing, &CheckEntry::standing));
}

int CheckReport::CountExpected(Verdict verdict) const {
  return static_cast<int>(std::ranges::count_if(entries_, [&](const CheckEntry& entry) {
    return entry.standing == Standing::kExpected && entry.outcome.verdict() == verdict;
  }));
}

std::vector<std::string> CheckReport::StaleExpectations() const {
  std::vector<std::string> names;
  for (const CheckEntry& entry : entries_) names.push_back(entry.outcome.name);
  return expectations_.FittingNone(names);
}

int CheckReport::exit_code() const {
  const auto is_unjudged = [](const CheckEntry& entry) { return entry.standing == Standing::kUnjudged; };
  const auto is_broken = [&](const CheckEntry& entry) {
    return is_unjudged(entry) && entry.outcome.unjudged->code != ErrorCode::kLimit;
  };
  if (std::ranges::any_of(entries_, is_broken)) return 2;
  if (std::ranges::any_of(entries_, is_unjudged)) return 4;
  return Count(Standing::kFailed) + Count(Standing::kUnexpected) > 0 ? 1 : 0;
}

nlohmann::json CheckReport::ToJson() const {
  nlohmann::json cases = nlohmann::json::array(), models = nlohmann::json::array();
  nlohmann::json totals = nlohmann::json::object();
  for (const auto& [outcome, standing, expected] : entries_) {
    nlohmann::json entry = outcome.ToJson();
    entry["standing"] = StandingName(standing);
    if (!expected.empty()) entry["expected"] = expected;
    (outcome.is_model() ? models : cases).push_back(std::move(entry));
    nlohmann::json& count = totals[std::string(outcome.VerdictText())];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  return {{"cases", std::move(cases)},
          {"types", types().ToJson()},
          {"models", std::move(models)},
          {"totals", std::move(totals)},
          {"exit_code", exit_code()}};
}

}  // namespace assay
