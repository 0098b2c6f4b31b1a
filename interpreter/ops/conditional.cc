#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Infers the branches' result. A pred selects true_computation or false_computation, an s32 one of branch_computations.
Result<Shape> InferConditional(const HloInstruction& instruction) {
  const Shape& selector = instruction.operand(0).shape;
  const std::vector<HloComputation*> branches = instruction.CalledComputations();
  const bool is_indexed = instruction.Has("branch_computations");
  const bool has_both = instruction.Has("true_computation") && instruction.Has("false_computation");
  if (!selector.IsScalar() || selector.element_type() != (is_indexed ? S32 : PRED)) {
    return Illegal(instruction, "{} needs a scalar {} to choose by, found {}",
                   is_indexed ? "branch_computations" : "a choice of two computations", is_indexed ? "s32" : "pred",
                   selector.ToStringWithoutLayout());
  }
  if (branches.empty() ||
      (is_indexed ? branches.size() != instruction.Computations("branch_computations").size() : !has_both)) {
    return Illegal(instruction, "takes true_computation and false_computation, or branch_computations");
  }
  if (instruction.operands.size() != branches.size() + 1) {
    return Illegal(instruction, "{} branches take {} operands after the first, found {}", branches.size(),
                   branches.size(), instruction.operands.size() - 1);
  }
  const std::vector<Shape> arguments = OperandShapes(instruction, 1);
  for (std::size_t i = 0; i < branches.size(); ++i) {
    ASSAY_CHECK_OK(CheckArguments(instruction, "the branch", *branches[i], std::span(arguments).subspan(i, 1)));
    ASSAY_CHECK_OK(CheckSameShape(instruction, fmt::format("the result of branch {}", i), branches[i]->root->shape,
                                  "branch 0", branches[0]->root->shape));
  }
  std::vector<const HloInstruction*> shared = {&instruction};
  for (const HloComputation* branch : branches) shared.push_back(branch->root);
  ASSAY_CHECK_OK(CheckSameSharding(instruction, shared));
  return branches[0]->root->shape;
}

Literal EvaluateConditional(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
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
    .syntax =
        {
            .attributes = {Optional("true_computation", AttributeKind::kComputation),
                           Optional("false_computation", AttributeKind::kComputation),
                           Optional("branch_computations", AttributeKind::kComputationList)},
        },
    .legality =
        {
            .arity = AtLeast(2),
            .types = TypesOf(PRED, S32),
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .forwards_operands = true,
            .infer = InferConditional,
        },
    .evaluation = {.evaluate = EvaluateConditional, .sees_run_time_sizes = true},
};

}  // namespace assay
