#include <utility>

#include "interpreter/hlo/device.h"
#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

// Replaces the result of older text by a token.
Status NormalizeOutfeed(HloInstruction& outfeed) {
  outfeed.shape = ShapeUtil::MakeTokenShape();
  if (!outfeed.Has("outfeed_shape")) outfeed.Set("outfeed_shape", outfeed.operand(0).shape);
  return {};
}

Result<Shape> InferOutfeed(const HloInstruction& instruction) {
  const Shape& token = instruction.operand(1).shape;
  if (!token.IsToken())
    return Illegal(instruction, "operand 1 must be a token, found {}", token.ToStringWithoutLayout());
  if (const Shape* written = instruction.Find<Shape>("outfeed_shape")) {
    ASSAY_CHECK_OK(CheckSameShape(instruction, "outfeed_shape", *written, "operand 0", instruction.operand(0).shape));
  }
  return ShapeUtil::MakeTokenShape();
}

Literal EvaluateOutfeed(const HloInstruction&, std::span<Literal> operands, Evaluation& evaluation) {
  evaluation.device().GiveToHost(std::move(operands[0]));
  return Literal::MakeToken();
}

}  // namespace

const Op op_outfeed = {
    .name = "outfeed",
    .meaning = "Data to the host.",
    .syntax =
        {
            .attributes = {Optional("outfeed_shape", AttributeKind::kShape),
                           Optional("outfeed_config", AttributeKind::kString)},
            .shape_is_inferable = false,
            .normalize = NormalizeOutfeed,
        },
    .legality =
        {
            .arity = Exactly(2),
            .types = kAny,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .infer = InferOutfeed,
        },
    .evaluation =
        {
            .evaluate = EvaluateOutfeed,
            .has_side_effect = true,
            .depends_on_device = true,
            .sees_run_time_sizes = true,
        },
};

}  // namespace assay
