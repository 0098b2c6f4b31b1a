#include "conformance/reports/check_report.h"

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

namespace assay {
namespace {

constexpr std::string_view kStandingNames[] = {"passed", "unsupported", "expected", "weak",
                                               "failed", "unexpected",  "flaky",    "unjudged"};

Standing StandingOf(const Outcome& outcome, const std::vector<std::string>& expected, const Demands& demands) {
  if (outcome.unjudged) return Standing::kUnjudged;
  const Verdict verdict = outcome.verdict();
  const bool is_expected = std::ranges::count(expected, VerdictName(verdict)) > 0;
  if (outcome.is_flake()) {
    const auto is_named = [&](Verdict one) { return std::ranges::count(expected, VerdictName(one)) > 0; };
    return is_expected && std::ranges::all_of(outcome.retries, is_named) ? Standing::kExpected : Standing::kFlaky;
  }
  if (!expected.empty() && !is_expected) return Standing::kUnexpected;
  const bool passes = verdict == Verdict::kSuspect && demands.suspects_pass;
  const bool is_failure = (IsFailure(verdict) && !passes) || (demands.fail_on.contains(verdict) && !is_expected);
  if (verdict == Verdict::kUnsupported && !is_failure) return Standing::kUnsupported;
  if (is_expected) return Standing::kExpected;
  if (is_failure) return Standing::kFailed;
  return verdict == Verdict::kWeak || passes ? Standing::kWeak : Standing::kPassed;
}

}  // namespace

std::string_view StandingName(Standing standing) { return kStandingNames[static_cast<std::size_t>(standing)]; }

std::optional<Standing> FindStanding(std::string_view name) {
  const auto* const found = std::ranges::find(kStandingNames, name);
  if (found == std::end(kStandingNames)) return std::nullopt;
  return static_cast<Standing>(found - std::begin(kStandingNames));
}

nlohmann::json CheckEntry::ToJson() const {
  nlohmann::json json = outcome.ToJson();
  json["standing"] = StandingName(standing);
  if (!expected.empty()) json["expected"] = expected;
  return json;
}

CheckEntry CheckEntry::FromJson(const nlohmann::json& json, bool is_model) {
  CheckEntry entry = {Outcome::FromJson(json, is_model), Standing::kPassed, {}};
  if (json.contains("expected")) json["expected"].get_to(entry.expected);
  const auto standing = FindStanding(json.at("standing").get_ref<const std::string&>());
  if (!standing) throw nlohmann::json::other_error::create(501, "no standing", nullptr);
  entry.standing = *standing;
  return entry;
}

bool CheckReport::Expects(const Outcome& outcome) const {
  const std::vector<std::string> expected = expectations_.Of(outcome.name);
  return std::ranges::count(expected, outcome.VerdictText()) > 0;
}

const CheckEntry& CheckReport::Add(Outcome outcome) {
  std::vector<std::string> expected = expectations_.Of(outcome.name);
  const bool died_once = !outcome.died_once.empty() && !expectations_.accept_single_deaths();
  const Standing standing = died_once ? Standing::kFlaky : StandingOf(outcome, expected, demands_);
  return Add(CheckEntry{std::move(outcome), standing, std::move(expected)});
}

const CheckEntry& CheckReport::Add(CheckEntry entry) {
  entries_.push_back(std::move(entry));
  return entries_.back();
}

void CheckReport::AddFlips(const std::map<std::string, Flips>& flips) {
  for (CheckEntry& entry : entries_) {
    const auto found = flips.find(entry.outcome.name);
    if (found == flips.end()) continue;
    entry.outcome.flips = found->second;
    entry.standing = StandingOf(entry.outcome, entry.expected, demands_);
  }
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

std::int64_t CheckReport::MissingSupport() const {
  const auto is_supported = [](const CheckEntry& entry) {
    return !entry.outcome.unjudged && entry.outcome.verdict() != Verdict::kUnsupported;
  };
  return std::max<std::int64_t>(0, demands_.least_supported - std::ranges::count_if(entries_, is_supported));
}

std::vector<CheckReport::GateCount> CheckReport::gates() const {
  std::vector<GateCount> counts;
  for (const Gate& gate : AllGates()) counts.push_back({gate.name});
  for (const auto& [outcome, standing, expected] : entries_) {
    if (outcome.unjudged) continue;
    for (const GateError& error : GateErrors(outcome.verdict(), outcome.metrics())) {
      GateCount& count = *std::ranges::find(counts, error.gate, &GateCount::gate);
      ++(error.passes ? count.passed_failures : count.failed_lawful);
    }
  }
  return counts;
}

std::vector<std::string> CheckReport::StaleExpectations() const {
  std::vector<std::string> names;
  for (const CheckEntry& entry : entries_) names.push_back(entry.outcome.name);
  std::vector<std::string> stale = expectations_.FittingNone(names);
  stale.insert(stale.end(), stale_of_others_.begin(), stale_of_others_.end());
  return stale;
}

int CheckReport::exit_code() const {
  const auto is_unjudged = [](const CheckEntry& entry) { return entry.standing == Standing::kUnjudged; };
  const auto is_broken = [&](const CheckEntry& entry) {
    return is_unjudged(entry) && entry.outcome.unjudged->code != ErrorCode::kLimit;
  };
  if (std::ranges::any_of(entries_, is_broken)) return 2;
  if (std::ranges::any_of(entries_, is_unjudged)) return 4;
  return Count(Standing::kFailed) + Count(Standing::kUnexpected) + Count(Standing::kFlaky) + MissingSupport() > 0 ? 1
                                                                                                                  : 0;
}

nlohmann::json CheckReport::ToJson() const {
  nlohmann::json cases = nlohmann::json::array(), models = nlohmann::json::array();
  nlohmann::json totals = nlohmann::json::object(), gate_counts = nlohmann::json::object();
  for (const GateCount& count : gates()) {
    gate_counts[std::string(count.gate)] = {{"passed_failures", count.passed_failures},
                                            {"failed_lawful", count.failed_lawful}};
  }
  for (const CheckEntry& entry : entries_) {
    (entry.outcome.is_model() ? models : cases).push_back(entry.ToJson());
    nlohmann::json& count = totals[std::string(entry.outcome.VerdictText())];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  return {{"cases", std::move(cases)},   {"types", types().ToJson()},       {"models", std::move(models)},
          {"totals", std::move(totals)}, {"gates", std::move(gate_counts)}, {"stale_expectations", StaleExpectations()},
          {"exit_code", exit_code()}};
}

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Returns the cause without its numbers: counts, times, addresses and process ids differ between cases.
std::string WithoutNumbers(std::string_view cause) {
  std::string rest;
  for (std::size_t i = 0; i < cause.size();) {
    const bool is_address = cause.substr(i).starts_with("0x");
    const std::size_t begin = i;
    if (is_address) i += 2;
    while (i < cause.size() && (is_address ? IsHexDigit(cause[i]) : IsDigit(cause[i]))) ++i;
    rest += i > begin ? '#' : cause[i++];
  }
  return rest;
}

std::int64_t ElementsOf(const Outcome& outcome) {
  return outcome.model ? outcome.model->outputs.elements : outcome.judgement.elements;
}

// Orders outcomes by verdict. An outcome without a verdict ranks above the worst one.
int RankOf(const Outcome& outcome) {
  return outcome.unjudged ? static_cast<int>(Verdict::kCrash) + 1 : static_cast<int>(outcome.verdict());
}

std::vector<Cluster> ClustersIf(const CheckReport& report, const std::function<bool(const CheckEntry&)>& is_in) {
  std::map<std::tuple<Standing, int, std::string, std::string>, std::size_t> known;
  std::vector<Cluster> clusters;
  for (const CheckEntry& entry : report.entries()) {
    if (!is_in(entry)) continue;
    const Outcome& outcome = entry.outcome;
    const auto [place, is_new] = known.try_emplace(
        {entry.standing, RankOf(outcome), outcome.op, WithoutNumbers(outcome.cause())}, clusters.size());
    if (is_new) clusters.push_back({{}, &entry});
    Cluster& cluster = clusters[place->second];
    cluster.entries.push_back(&entry);
    if (ElementsOf(outcome) < ElementsOf(cluster.outcome())) cluster.witness = &entry;
  }
  std::ranges::stable_sort(clusters, std::ranges::greater(), [](const Cluster& cluster) {
    return std::pair(RankOf(cluster.outcome()), cluster.entries.size());
  });
  return clusters;
}

}  // namespace

std::vector<Cluster> ClustersOf(const CheckReport& report, std::initializer_list<Standing> standings) {
  return ClustersIf(report, [&](const CheckEntry& entry) { return std::ranges::count(standings, entry.standing) > 0; });
}

nlohmann::json ClustersToJson(const CheckReport& report) {
  nlohmann::json json = nlohmann::json::array();
  const auto clusters = ClustersIf(report, [](const CheckEntry& entry) {
    return entry.outcome.unjudged || entry.outcome.verdict() != Verdict::kExact;
  });
  for (const Cluster& cluster : clusters) {
    json.push_back({{"verdict", cluster.outcome().VerdictText()},
                    {"standing", StandingName(cluster.witness->standing)},
                    {"op", cluster.outcome().op},
                    {"reason", cluster.outcome().cause()},
                    {"cases", cluster.entries.size()},
                    {"witness", cluster.outcome().name}});
  }
  return json;
}

}  // namespace assay
