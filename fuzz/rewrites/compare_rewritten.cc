#include "fuzz/rewrites/compare_rewritten.h"

#include <fmt/format.h>

#include <chrono>

#include "conformance/judging/difference.h"
#include "conformance/judging/judged_alone.h"
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

}  // namespace assay
