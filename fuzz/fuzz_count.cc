#include "fuzz/fuzz_count.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <utility>

namespace assay {
namespace {

using nlohmann::json;

json ByName(const std::map<Verdict, std::int64_t>& counts) {
  json named = json::object();
  for (const auto& [verdict, count] : counts) named[std::string(VerdictName(verdict))] = count;
  return named;
}

std::map<Verdict, std::int64_t> FromNames(const json& named) {
  std::map<Verdict, std::int64_t> counts;
  for (const auto& [name, count] : named.items()) {
    if (const auto verdict = FindVerdict(name)) counts[*verdict] = count.get<std::int64_t>();
  }
  return counts;
}

}  // namespace

ProgramOutcome OutcomeOf(const Result<ModuleReport>& report, std::shared_ptr<const HloModule> module) {
  ProgramOutcome outcome;
  outcome.module = std::move(module);
  outcome.is_evaluated = report.has_value();
  if (!report) {
    const std::string& message = report.error().message;
    outcome.not_evaluated_because = WithoutNames(message.substr(0, message.find('\n')));
    return outcome;
  }
  outcome.verdict = report->verdict;
  if (outcome.verdict == Verdict::kWeak) outcome.weak_because = WithoutNames(report->reason);
  outcome.differs = report->outputs.not_exact > 0;
  outcome.relative_difference = report->relative_difference;
  const auto& distinct = report->distinct_values;
  outcome.is_uniform = !distinct.empty() && std::ranges::count(distinct, 1) == std::ssize(distinct);
  outcome.real_numbers = report->real_numbers.count;
  outcome.nans = report->real_numbers.nans;
  outcome.reference_seconds = report->reference_seconds;
  outcome.backend_seconds = report->backend_seconds;
  return outcome;
}

std::string WithoutNames(const std::string& reason) {
  static const std::regex instruction(R"(^%\S+ = .*? ([a-z][a-z0-9-]*)\(.*?\).*?: )");
  static const std::regex places(R"( \(line \d+\)|[._]\d+\b)"), numbers(R"(\b\d[\w.+-]*)");
  const std::string of_op = std::regex_replace(reason, instruction, "$1: ");
  return std::regex_replace(std::regex_replace(of_op, places, ""), numbers, "N");
}

double FuzzCount::accepted_share() const {
  const auto declined = by_verdict.find(Verdict::kUnsupported);
  const std::int64_t accepted = programs - (declined == by_verdict.end() ? 0 : declined->second);
  return programs == 0 ? 1 : static_cast<double>(accepted) / static_cast<double>(programs);
}

void FuzzCount::Add(const ProgramOutcome& outcome) {
  drawn_again += outcome.draws_before;
  refused_mutants += outcome.refused_mutants;
  if (!outcome.is_evaluated) {
    ++not_evaluated;
    ++not_evaluated_because[outcome.not_evaluated_because];
    return;
  }
  ++programs;
  ++by_verdict[outcome.verdict];
  for (const std::string_view mutation : outcome.mutations) ++mutations[std::string(mutation)];
  differing += outcome.differs ? 1 : 0;
  if (outcome.relative_difference > kMuch) ++differing_much[outcome.verdict];
  uniform += outcome.is_uniform ? 1 : 0;
  real_numbers += outcome.real_numbers;
  nans += outcome.nans;
  reference_seconds += outcome.reference_seconds;
  backend_seconds += outcome.backend_seconds;
  findings += outcome.finding == ProgramOutcome::Finding::kNew ? 1 : 0;
  known += outcome.finding == ProgramOutcome::Finding::kKnown ? 1 : 0;
  alike += outcome.finding == ProgramOutcome::Finding::kAlike ? 1 : 0;
  if (!outcome.declined_for.empty()) ++declined_for[outcome.declined_for];
  if (!outcome.weak_because.empty()) ++weak_because[outcome.weak_because];
  if (outcome.verdict != Verdict::kUnsupported) coverage.Add(*outcome.module);
}

std::int64_t FuzzCount::suspects() const {
  const auto suspects = by_verdict.find(Verdict::kSuspect);
  return suspects == by_verdict.end() ? 0 : suspects->second;
}

// Independent rare events have the distribution of Poisson.
bool FuzzCount::HasMoreSuspects(double rate) const {
  const double mean = static_cast<double>(programs) * rate / 1e5;
  double exactly = std::exp(-mean), fewer = 0;
  for (std::int64_t k = 0; k < suspects(); ++k) {
    fewer += exactly;
    exactly *= mean / static_cast<double>(k + 1);
  }
  return suspects() > 0 && 1 - fewer < 1e-3;
}

json ToJson(const FuzzCount& count) {
  return {{"programs", count.programs},
          {"by_verdict", ByName(count.by_verdict)},
          {"differing_much", ByName(count.differing_much)},
          {"differing", count.differing},
          {"uniform", count.uniform},
          {"real_numbers", count.real_numbers},
          {"nans", count.nans},
          {"not_evaluated", count.not_evaluated},
          {"not_evaluated_because", count.not_evaluated_because},
          {"drawn_again", count.drawn_again},
          {"mutations", count.mutations},
          {"refused_mutants", count.refused_mutants},
          {"declined_features", count.declined_features},
          {"declined_for", count.declined_for},
          {"weak_because", count.weak_because},
          {"findings", count.findings},
          {"known", count.known},
          {"alike", count.alike},
          {"seconds", count.seconds},
          {"reference_seconds", count.reference_seconds},
          {"backend_seconds", count.backend_seconds},
          {"coverage", ToJson(count.coverage)}};
}

FuzzCount FuzzCountFromJson(const json& from) {
  FuzzCount count;
  from.at("programs").get_to(count.programs);
  count.by_verdict = FromNames(from.at("by_verdict"));
  count.differing_much = FromNames(from.at("differing_much"));
  from.at("differing").get_to(count.differing);
  from.at("uniform").get_to(count.uniform);
  from.at("real_numbers").get_to(count.real_numbers);
  from.at("nans").get_to(count.nans);
  from.at("not_evaluated").get_to(count.not_evaluated);
  count.not_evaluated_because = from.value("not_evaluated_because", std::map<std::string, std::int64_t>());
  count.drawn_again = from.value("drawn_again", std::int64_t{0});  // not recorded by older versions
  count.mutations = from.value("mutations", std::map<std::string, std::int64_t>());
  count.refused_mutants = from.value("refused_mutants", std::int64_t{0});
  count.declined_features = from.value("declined_features", std::set<std::string>());
  count.declined_for = from.value("declined_for", std::map<std::string, std::int64_t>());
  count.weak_because = from.value("weak_because", std::map<std::string, std::int64_t>());
  from.at("findings").get_to(count.findings);
  from.at("known").get_to(count.known);
  from.at("alike").get_to(count.alike);
  from.at("seconds").get_to(count.seconds);
  from.at("reference_seconds").get_to(count.reference_seconds);
  from.at("backend_seconds").get_to(count.backend_seconds);
  count.coverage = CoverageFromJson(from.at("coverage"));
  return count;
}

}  // namespace assay
