#include <algorithm>
#include <vector>

#include "interpreter/acceptance/ops/common/step_sets.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Finds the set of each element by the computation.
std::optional<ValueSet> SetOfMap(const HloInstruction& map, std::span<const ValueSet> operands, const Literal& value,
                                 SetEvaluation& evaluation) {
  const HloComputation& computation = map.Computation("to_apply");
  const Steps steps = Steps::ByElement(map.shape);
  if (steps.size > kMostSteps || !std::ranges::all_of(operands, HasParts)) return std::nullopt;
  std::vector<ValueSet> results;
  for (std::int64_t i = 0; i < steps.size; ++i) {
    std::vector<ValueSet> arguments;
    for (std::size_t k = 0; k < operands.size(); ++k) {
      arguments.push_back(StepOf(operands[k], steps, i, computation.Parameters()[k]->shape));
    }
    results.push_back(evaluation.Call(computation, std::move(arguments)));
    if (!HasParts(results.back())) return std::nullopt;
  }
  return Joined(value, steps, results);
}

}  // namespace

const OpAcceptance acceptance_map = {.op = &op_map, .rule = Acceptance::kCalled, .steps = SetOfMap};

}  // namespace assay
