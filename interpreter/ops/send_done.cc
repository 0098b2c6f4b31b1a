#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  const Shape& context = instruction.operand(0).shape;
  if (!context.IsTuple() || context.tuple_shapes().size() != 3) {
    return Illegal(instruction, "operand 0 must be (data, u32[], token[]), found {}", context.ToStringWithoutLayout());
  }
  return ShapeUtil::MakeTokenShape();
}

// Older text has the data beside the token.
Status Normalize(HloInstruction& done) {
  done.shape = ShapeUtil::MakeTokenShape();
  return {};
}

Literal Evaluate(const HloInstruction&, std::span<Literal>, Evaluation&) { return Literal::MakeToken(); }

}  // namespace

const Op op_send_done = {
    .name = "send-done",
    .meaning = "The end of a send.",
    .arity = Exactly(1),
    .types = kTuples,
    .attributes = {Optional("channel_id", AttributeKind::kInt64), Flag("is_host_transfer")},
    .shape_is_inferable = false,
    .has_side_effect = true,
    .allows_mixed_precision = true,
    .sees_run_time_sizes = true,
    .depends_on_device = true,
    .normalize = Normalize,
    .layouts = LayoutRule::kInferred,
    .infer = Infer,
    .evaluate = Evaluate,
};

}  // namespace assay
