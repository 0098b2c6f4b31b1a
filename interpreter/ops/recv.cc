#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// What is received is part of what is written: element 0 of the result.
Result<Shape> Infer(const HloInstruction& instruction) {
  const Shape& declared = instruction.shape;
  if (!declared.IsTuple() || declared.tuple_shapes().empty()) {
    return Illegal(instruction, "the result must be a tuple whose element 0 is the data, found {}",
                   declared.ToStringWithoutLayout());
  }
  return ShapeUtil::MakeTupleShape(
      {declared.tuple_shapes(0), ShapeUtil::MakeScalarShape(U32), ShapeUtil::MakeTokenShape()});
}

}  // namespace

const Op op_recv = {
    .name = "recv",
    .meaning = "The start of a transfer from another device or the host.",
    .arity = Exactly(1),
    .types = kTokens,
    .attributes = {Optional("channel_id", AttributeKind::kInt64), Flag("is_host_transfer")},
    .shape_is_inferable = false,
    .has_side_effect = true,
    .allows_mixed_precision = true,
    .done = "recv-done",
    .infer = Infer,
    .not_evaluated = "needs several devices or a host",
};

}  // namespace assay
