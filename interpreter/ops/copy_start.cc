#include <utility>

#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// The result is (destination, source, context).
Result<Shape> InferCopyStart(const HloInstruction& instruction) {
  const Shape& operand = instruction.operand(0).shape;
  return ShapeUtil::MakeTupleShape({operand, operand, ShapeUtil::MakeScalarShape(U32)});
}

Literal EvaluateCopyStart(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  Literal context(ShapeUtil::MakeScalarShape(U32));
  return WithShapeKeepingSizes(Literal::MakeTuple({operands[0], operands[0], std::move(context)}), instruction.shape);
}

}  // namespace

const Op op_copy_start = {
    .name = "copy-start",
    .meaning = "The start of an asynchronous copy.",
    .syntax =
        {
            .attributes = {Optional("cross_program_prefetch_index", AttributeKind::kInt64)},
            .shape_is_inferable = false,
        },
    .legality =
        {
            .arity = Exactly(1),
            .types = kAny,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .done = "copy-done",
            .infer = InferCopyStart,
        },
    .evaluation = {.evaluate = EvaluateCopyStart, .sees_run_time_sizes = true},
};

}  // namespace assay
