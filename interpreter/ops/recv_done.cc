#include "interpreter/hlo/device.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferRecvDone(const HloInstruction& instruction) {
  const Shape& context = instruction.operand(0).shape;
  if (!context.IsTuple() || context.tuple_shapes().size() != 3) {
    return Illegal(instruction, "operand 0 must be (data, u32[], token[]), found {}", context.ToStringWithoutLayout());
  }
  return ShapeUtil::MakeTupleShape({context.tuple_shapes(0), ShapeUtil::MakeTokenShape()});
}

// Copies the layouts of the operand.
Status NormalizeRecvDone(HloInstruction& done) {
  if (const Result<Shape> shape = InferRecvDone(done); shape && ShapeUtil::Compatible(done.shape, *shape))
    done.shape = *shape;
  return {};
}

Literal EvaluateRecvDone(const HloInstruction& done, std::span<Literal> operands, Evaluation& evaluation) {
  return Literal::MakeTuple({evaluation.device().Await(done, operands[0].elements()[0]), Literal::MakeToken()});
}

}  // namespace

const Op op_recv_done = {
    .name = "recv-done",
    .meaning = "The end of a recv.",
    .syntax =
        {
            .attributes = {Optional("channel_id", AttributeKind::kInt64), Flag("is_host_transfer")},
            .shape_is_inferable = false,
            .normalize = NormalizeRecvDone,
        },
    .legality =
        {
            .arity = Exactly(1),
            .types = kTuples,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .infer = InferRecvDone,
        },
    .evaluation =
        {
            .evaluate = EvaluateRecvDone,
            .has_side_effect = true,
            .depends_on_device = true,
            .sees_run_time_sizes = true,
        },
};

}  // namespace assay
