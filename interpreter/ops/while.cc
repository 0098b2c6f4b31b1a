#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferWhile(const HloInstruction& instruction) {
  const HloComputation& condition = instruction.Computation("condition");
  const HloComputation& body = instruction.Computation("body");
  const std::vector<Shape> state = OperandShapes(instruction);
  ASSAY_CHECK_OK(CheckArguments(instruction, "the condition", condition, state));
  ASSAY_CHECK_OK(CheckArguments(instruction, "the body", body, state));
  ASSAY_CHECK_OK(CheckSameShape(instruction, "the result of the body", body.root->shape, "the state", state[0]));
  ASSAY_CHECK_OK(CheckSameShape(instruction, "the result of the condition", condition.root->shape, "a single pred",
                                ShapeUtil::MakeScalarShape(PRED)));
  const HloInstruction* const shared[] = {&instruction, body.root, body.Parameters()[0], condition.Parameters()[0]};
  ASSAY_CHECK_OK(CheckSameSharding(instruction, shared));
  return state[0];
}

Literal EvaluateWhile(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  const HloComputation& condition = instruction.Computation("condition");
  const HloComputation& body = instruction.Computation("body");
  Literal state = std::move(operands[0]);
  while (evaluation.Call(condition, std::vector<Literal>(1, state)).BoolAt(0)) {
    std::vector<Literal> arguments;
    arguments.push_back(std::move(state));
    state = evaluation.Call(body, std::move(arguments));
  }
  return state;
}

}  // namespace

const Op op_while = {
    .name = "while",
    .meaning = "The body repeated while the condition holds.",
    .syntax =
        {
            .attributes =
                {{.name = "condition", .kind = AttributeKind::kComputation, .required = true, .visited_last = true},
                 Required("body", AttributeKind::kComputation)},
        },
    .legality =
        {
            .arity = Exactly(1),
            .types = kAny,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .accepts_buffers = true,
            .forwards_operands = true,
            .infer = InferWhile,
        },
    .evaluation = {.evaluate = EvaluateWhile, .sees_run_time_sizes = true},
};

}  // namespace assay
