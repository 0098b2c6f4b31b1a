#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Infers (operands, gathered). Either element is one array or a tuple of arrays.
Result<Shape> InferAllGatherStart(const HloInstruction& instruction) {
  const Shape& declared = instruction.shape;
  if (!declared.IsTuple() || declared.tuple_shapes().size() != 2) {
    return Illegal(instruction, "the result must be a pair of operands and gathered arrays, found {}",
                   declared.ToStringWithoutLayout());
  }
  ASSAY_TRY(Shape gathered, InferAllGather(instruction, declared.tuple_shapes(1)));
  return ShapeUtil::MakeTupleShape({ShapeOfOperands(instruction), std::move(gathered)});
}

}  // namespace

const Op op_all_gather_start = {
    .name = "all-gather-start",
    .meaning = "The start of an asynchronous all-gather.",
    .syntax = {.attributes = AllGatherAttributes(), .shape_is_inferable = false},
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays,
            .allows_mixed_precision = true,
            .done = "all-gather-done",
            .infer = InferAllGatherStart,
        },
    .evaluation = {.evaluate = EvaluateStart<AllGather, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
