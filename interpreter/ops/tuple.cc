#include <iterator>
#include <utility>
#include <vector>

#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferTuple(const HloInstruction& instruction) {
  std::vector<Shape> elements;
  for (const HloInstruction* operand : instruction.operands) elements.push_back(operand->shape);
  return ShapeUtil::MakeTupleShape(std::move(elements));
}

Literal EvaluateTuple(const HloInstruction&, std::span<Literal> operands, Evaluation&) {
  return Literal::MakeTuple({std::make_move_iterator(operands.begin()), std::make_move_iterator(operands.end())});
}

}  // namespace

const Op op_tuple = {
    .name = "tuple",
    .meaning = "A tuple of the operands.",
    .role = OpRole::kTuple,
    .legality =
        {
            .arity = AtLeast(0),
            .types = kAny,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .accepts_buffers = true,
            .forwards_operands = true,
            .infer = InferTuple,
        },
    .evaluation = {.evaluate = EvaluateTuple, .sees_run_time_sizes = true},
};

}  // namespace assay
