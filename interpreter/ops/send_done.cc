#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferSendDone(const HloInstruction& instruction) {
  const Shape& context = instruction.operand(0).shape;
  if (!context.IsTuple() || context.tuple_shapes().size() != 3) {
    return Illegal(instruction, "operand 0 must be (data, u32[], token[]), found {}", context.ToStringWithoutLayout());
  }
  return ShapeUtil::MakeTokenShape();
}

// Replaces the result of older modules, (data, token[]), by a token.
Status NormalizeSendDone(HloInstruction& done) {
  const Shape& context = done.operand(0).shape;
  if (!context.IsTuple() || context.tuple_shapes().empty()) return {};
  const Shape token = ShapeUtil::MakeTokenShape();
  const Shape old = ShapeUtil::MakeTupleShape({context.tuple_shapes(0), token});
  if (ShapeUtil::Compatible(done.shape, old)) done.shape = token;
  return {};
}

Literal EvaluateSendDone(const HloInstruction&, std::span<Literal>, Evaluation&) { return Literal::MakeToken(); }

}  // namespace

const Op op_send_done = {
    .name = "send-done",
    .meaning = "The end of a send.",
    .syntax =
        {
            .attributes = {Optional("channel_id", AttributeKind::kInt64), Flag("is_host_transfer")},
            .shape_is_inferable = false,
            .normalize = NormalizeSendDone,
        },
    .legality =
        {
            .arity = Exactly(1),
            .types = kTuples,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .infer = InferSendDone,
        },
    .evaluation =
        {
            .evaluate = EvaluateSendDone,
            .has_side_effect = true,
            .depends_on_device = true,
            .sees_run_time_sizes = true,
        },
};

}  // namespace assay
