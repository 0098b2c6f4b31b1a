#include "conformance/judging/compare.h"

#include <chrono>

#include "conformance/judging/metrics.h"
#include "conformance/judging/module_judge.h"
#include "conformance/judging/output_diversity.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/types/per_device.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Result<ModuleReport> CompareModule(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                                   const CompareOptions& options) {
  ModuleReport report;
  const auto tell = [&](std::string_view stage) {
    if (options.on_judging) options.on_judging(stage, *module.entry->root);
  };
  EvaluationOptions evaluation;
  evaluation.limits = options.limits;
  tell("the reference runs");
  auto start = Clock::now();
  ASSAY_TRY(const Literal want, EvaluateTogether(module, arguments, evaluation));
  report.reference_seconds = SecondsSince(start);
  report.distinct_values = DistinctValues(want);
  report.real_numbers = CountRealNumbers(want);

  tell("the backend runs");
  start = Clock::now();
  Result<PerDevice<Literal>> outputs = backend.Run(module, arguments);
  report.backend_seconds = SecondsSince(start);
  if (!outputs) {
    report.verdict = VerdictOf(outputs.error());
    report.reason = outputs.error().message;
    return report;
  }
  const Literal got = OfAllDevices(*std::move(outputs));
  if (options.on_outputs) options.on_outputs(want, got);
  Result<ModuleReport> judged = JudgeRun({backend, module, arguments, want, got}, options, std::move(report));
  if (judged && judged->verdict == Verdict::kExact) judged->reason = WeakEvidence(module, judged->distinct_values);
  if (judged && judged->outputs.not_exact > 0) {
    judged->relative_difference = RelativeDifference(want, got);
    judged->metrics = MetricsOf(want, got);
  }
  return judged;
}

}  // namespace assay
