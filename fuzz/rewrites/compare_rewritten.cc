#include "fuzz/rewrites/compare_rewritten.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/reduce.h"
#include "conformance/judging/judged_alone.h"
#include "conformance/judging/metrics.h"
#include "conformance/judging/output_diversity.h"
#include "interpreter/types/join_text.h"

namespace assay {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Returns the report of the difference alone.
ModuleReport Undecided(const Subject& before, const Rewritten& after, const Literal& first, const Literal& second) {
  ModuleReport report;
  report.outputs = CompareExactly(first, second);
  report.relative_difference = report.outputs.not_exact > 0 ? RelativeDifference(first, second) : 0;
  report.verdict = IsDetermined(*before.module) ? Verdict::kFail : Verdict::kWeak;
  report.reason = fmt::format("{} is {} before {} and {} after it", report.outputs.worst.name,
                              report.outputs.worst.want, JoinText(after.rewrites, ", "), report.outputs.worst.got);
  return report;
}

// True if the backend is late, or fails as the reference does because the program has no value.
bool HasNothingToJudge(const Result<ModuleReport>& report, const Result<PerDevice<Literal>>& result) {
  const bool has_no_value = !report && report.error().code != ErrorCode::kLimit;
  return has_no_value || VerdictOf(result.error()) == Verdict::kTimeout;
}

bool IsWorse(const ModuleReport& report, const ModuleReport& other) { return report.verdict > other.verdict; }

}  // namespace

Result<RewrittenReport> CompareRewritten(Backend& backend, const Subject& before, const Rewritten& after,
                                         const CompareOptions& options) {
  const SteadyClock::time_point start = SteadyClock::now();
  const auto first = backend.Run(*before.module, before.arguments);
  const auto second = backend.Run(*after.subject.module, after.subject.arguments);
  const double seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();
  ModuleReport report;
  report.backend_seconds = seconds;
  const auto is_declined = [](const auto& result) {
    return !result && VerdictOf(result.error()) == Verdict::kUnsupported;
  };
  if (is_declined(first) && (second || is_declined(second))) {
    report.verdict = Verdict::kUnsupported;
    report.reason = first.error().message;
    return RewrittenReport{report, before};
  }
  if (first && second) {
    const Literal one = OfAllDevices(*first), two = OfAllDevices(*second);
    report.distinct_values = DistinctValues(one);
    if (CompareExactly(one, two).verdict == Verdict::kExact) return RewrittenReport{report, before};
  }
  const Result<ModuleReport> of_first = CompareModule(backend, *before.module, before.arguments, options);
  const Result<ModuleReport> of_second =
      CompareModule(backend, *after.subject.module, after.subject.arguments, options);
  if (of_first && of_second) {
    return IsWorse(*of_second, *of_first) ? RewrittenReport{*of_second, after.subject}
                                          : RewrittenReport{*of_first, before};
  }
  if (first && second) {
    return RewrittenReport{Undecided(before, after, OfAllDevices(*first), OfAllDevices(*second)), after.subject, true};
  }
  if (!first && !second && HasNothingToJudge(of_first, first) && HasNothingToJudge(of_second, second)) {
    return first.error();
  }
  const bool is_first = !first && (second || VerdictOf(first.error()) >= VerdictOf(second.error()));
  const Error& error = is_first ? first.error() : second.error();
  report.verdict = VerdictOf(error);
  report.reason = error.message;
  return RewrittenReport{report, is_first ? before : after.subject};
}

using namespace generate;
namespace {

// The number of random places for each rewrite: most reduced modules have few.
constexpr std::uint64_t kPlacesTried = 4;

using Names = std::vector<std::string_view>;

std::optional<Rewritten> RewriteBy(const Names& names, const Subject& subject, std::uint64_t place) {
  static const std::vector<Rewrite> rewrites = AllRewrites();
  Rewritten rewritten = {subject, {}};
  for (const std::string_view name : names) {
    Random random(place);
    const auto rewrite = std::ranges::find(rewrites, name, &Rewrite::name);
    std::optional<Rewritten> next = RewriteSome(rewritten.subject, random, 1, {&*rewrite, 1});
    if (!next) continue;
    rewritten.subject = std::move(next->subject);
    rewritten.rewrites.push_back(name);
  }
  if (rewritten.rewrites.empty()) return std::nullopt;
  return rewritten;
}

// Returns the rewritten subject if the backend's results differ from those of the subject.
std::optional<Rewritten> FindTold(Backend& backend, const Subject& subject, const Names& names) {
  if (!IsDetermined(*subject.module)) return std::nullopt;
  const auto first = backend.Run(*subject.module, subject.arguments);
  if (!first) return std::nullopt;
  const Literal want = OfAllDevices(*first);
  for (std::uint64_t place = 0; place < kPlacesTried; ++place) {
    std::optional<Rewritten> rewritten = RewriteBy(names, subject, place);
    if (!rewritten) return std::nullopt;
    const auto second = backend.Run(*rewritten->subject.module, rewritten->subject.arguments);
    if (second && CompareExactly(want, OfAllDevices(*second)).verdict != Verdict::kExact) return rewritten;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Pair> ReducePair(Backend& backend, const Pair& pair, const EvaluationLimits& limits,
                               double budget_seconds) {
  std::vector<Names> tried;
  for (const std::string_view name : pair.after.rewrites) tried.push_back({name});
  if (tried.size() > 1) tried.push_back(pair.after.rewrites);
  const auto names =
      std::ranges::find_if(tried, [&](const Names& some) { return FindTold(backend, pair.before, some).has_value(); });
  if (names == tried.end()) return std::nullopt;
  const StillFails is_told = [&](const HloModule& module, const DeviceValues& arguments) -> Result<bool> {
    // Not owned: the module outlives the call.
    const Subject subject = {std::shared_ptr<const HloModule>(std::shared_ptr<void>(), &module), arguments};
    return FindTold(backend, subject, *names).has_value();
  };
  Search search({is_told}, budget_seconds);
  const Result<Reduction> reduction = Reduce(pair.before, search, limits, ReductionScope::kAll);
  const Subject& before = reduction ? reduction->subject : pair.before;
  std::optional<Rewritten> after = FindTold(backend, before, *names);
  if (!after) return std::nullopt;
  return Pair{before, *std::move(after)};
}

}  // namespace assay
