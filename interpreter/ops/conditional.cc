#include "interpreter/ops/record.h"

namespace assay {
namespace {

// An index outside the branches takes the last one.
std::int64_t BranchIndex(const Literal& selector, std::int64_t branch_count) {
  if (selector.element_type() == PRED) return selector.BoolAt(0) ? 0 : 1;
  const std::int64_t index = selector.IntegerAt(0);
  return index >= 0 && index < branch_count ? index : branch_count - 1;
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  const std::vector<HloComputation*> branches = instruction.CalledComputations();
  const std::int64_t index = BranchIndex(operands[0], static_cast<std::int64_t>(branches.size()));
  std::vector<Literal> arguments;
  arguments.push_back(std::move(operands[index + 1]));
  return evaluation.Call(*branches[index], std::move(arguments));
}

}  // namespace

const Op op_conditional = {
    .name = "conditional",
    .meaning = "One of several computations, chosen by the first operand.",
    .arity = AtLeast(2),
    .types = kPred | kIntegral,
    .attributes = {Optional("true_computation", AttributeKind::kComputation),
                   Optional("false_computation", AttributeKind::kComputation),
                   Optional("branch_computations", AttributeKind::kComputationList)},
    .evaluate = Evaluate,
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
