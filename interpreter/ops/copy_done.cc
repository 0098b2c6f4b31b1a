#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferCopyDone(const HloInstruction& instruction) {
  const Shape& operand = instruction.operand(0).shape;
  const bool is_copy = operand.IsTuple() && operand.tuple_shapes().size() == 3 &&
                       ShapeUtil::Compatible(operand.tuple_shapes(0), operand.tuple_shapes(1));
  if (is_copy) return operand.tuple_shapes(0);
  return Illegal(instruction,
                 "operand 0 must be a tuple of destination, source and context as copy-start makes it, "
                 "found {}",
                 operand.ToStringWithoutLayout());
}

Literal EvaluateCopyDone(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  return WithShapeKeepingSizes(std::move(operands[0].mutable_elements()[0]), instruction.shape);
}

}  // namespace

const Op op_copy_done = {
    .name = "copy-done",
    .meaning = "The end of an asynchronous copy.",
    .legality =
        {
            .arity = Exactly(1),
            .types = kTuples,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .infer = InferCopyDone,
        },
    .evaluation = {.evaluate = EvaluateCopyDone, .sees_run_time_sizes = true},
};

}  // namespace assay
