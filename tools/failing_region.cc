#include "tools/failing_region.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "interpreter/hlo/op.h"
#include "interpreter/hlo/printer.h"

namespace assay {

bool HasRegion(const ModuleReport& report) {
  return report.verdict == Verdict::kUnsupported || report.verdict >= Verdict::kFail;
}

Result<FoundRegion> FindRegion(Backend& backend, const Subject& subject, const CompareOptions& compare,
                               const ModuleReport& report, double seconds) {
  const Failure failure = FailureOf(report, *subject.module);
  CompareOptions of_parts = compare;
  of_parts.on_outputs = {};
  of_parts.finds_all_offenders = false;
  ASSAY_TRY(of_parts.limits, LimitsFor(subject, compare.limits));
  Search search({FailsLike(backend, of_parts, failure)}, seconds);
  ASSAY_TRY(Reduction reduction, Reduce(subject, search, of_parts.limits, ReductionScope::kRegion));
  ASSAY_TRY(Failure alone, FindFailure(backend, *reduction.subject.module, reduction.subject.arguments, of_parts));
  return FoundRegion{std::move(reduction), std::move(alone)};
}

std::vector<const HloInstruction*> InstructionsOf(const Subject& region) {
  std::vector<const HloInstruction*> of_arrays, of_tuples;
  for (const auto& instruction : region.module->entry->instructions) {
    const OpRole role = instruction->op->role;
    if (role == OpRole::kParameter || role == OpRole::kConstant) continue;
    const bool is_of_tuples = role == OpRole::kTuple || role == OpRole::kGetTupleElement;
    (is_of_tuples ? of_tuples : of_arrays).push_back(instruction.get());
  }
  return of_arrays.empty() ? of_tuples : of_arrays;
}

nlohmann::json RegionToJson(const FoundRegion& found) {
  nlohmann::json lines = nlohmann::json::array();
  for (const HloInstruction* instruction : InstructionsOf(found.reduction.subject)) {
    lines.push_back({{"line", instruction->location.line}, {"instruction", PrintInstruction(*instruction)}});
  }
  return {{"verdict", VerdictName(found.failure.verdict)},
          {"reason", found.failure.reason},
          {"instructions", std::move(lines)},
          {"tries", found.reduction.tries},
          {"module", PrintHloModule(*found.reduction.subject.module, PrintOptions::Exact())}};
}

}  // namespace assay
