#include <iterator>
#include <utility>
#include <vector>

#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  std::vector<Shape> elements;
  for (const HloInstruction* operand : instruction.operands) elements.push_back(operand->shape);
  return ShapeUtil::MakeTupleShape(std::move(elements));
}

Literal Evaluate(const HloInstruction&, std::span<Literal> operands, Evaluation&) {
  return Literal::MakeTuple({std::make_move_iterator(operands.begin()), std::make_move_iterator(operands.end())});
}

}  // namespace

const Op op_tuple = {
    .name = "tuple",
    .meaning = "A tuple of the operands.",
    .arity = AtLeast(0),
    .types = kAny,
    .role = OpRole::kTuple,
    .allows_mixed_precision = true,
    .accepts_buffers = true,
    .forwards_operands = true,
    .sees_run_time_sizes = true,
    .layouts = LayoutRule::kInferred,
    .infer = Infer,
    .evaluate = Evaluate,
};

}  // namespace assay
