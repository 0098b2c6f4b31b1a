#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  const Shape& token = instruction.operand(1).shape;
  if (!token.IsToken())
    return Illegal(instruction, "operand 1 must be a token, found {}", token.ToStringWithoutLayout());
  return ShapeUtil::MakeTupleShape(
      {instruction.operand(0).shape, ShapeUtil::MakeScalarShape(U32), ShapeUtil::MakeTokenShape()});
}

}  // namespace

const Op op_send = {
    .name = "send",
    .meaning = "The start of a transfer to another device or the host.",
    .arity = Exactly(2),
    .types = kAny,
    .attributes = {Optional("channel_id", AttributeKind::kInt64), Flag("is_host_transfer")},
    .shape_is_inferable = false,
    .has_side_effect = true,
    .allows_mixed_precision = true,
    .done = "send-done",
    .infer = Infer,
    .not_evaluated = "needs several devices or a host",
};

}  // namespace assay
