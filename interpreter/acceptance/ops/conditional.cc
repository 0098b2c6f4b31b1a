#include <vector>

#include "interpreter/acceptance/ops/records.h"
#include "interpreter/ops/common/call_rules.h"

namespace assay {
namespace {

// Propagates sets through the chosen branch, or through every branch if the choice is undecided.
ValueSet WalkConditional(const HloInstruction& instruction, std::span<const ValueSet> operands,
                         SetEvaluation& evaluation) {
  const std::vector<HloComputation*> branches = instruction.CalledComputations();
  const auto count = static_cast<std::int64_t>(branches.size());
  const auto branch = [&](std::int64_t i) { return evaluation.Call(*branches[i], {operands[i + 1]}); };
  const std::int64_t chosen = BranchIndex(operands[0].value, count);
  ValueSet result = branch(chosen);
  for (std::int64_t i = 0; i < count && operands[0].open; ++i) {
    if (i != chosen) result = Hull(result, branch(i), &instruction);
  }
  return result;
}

}  // namespace

const OpAcceptance acceptance_conditional = {
    .op = &op_conditional, .rule = Acceptance::kCalled, .walk = WalkConditional};

}  // namespace assay
