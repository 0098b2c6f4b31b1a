#include "interpreter/hlo/device.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferPartitionId(const HloInstruction&) { return ShapeUtil::MakeScalarShape(U32); }

Literal EvaluatePartitionId(const HloInstruction&, std::span<Literal>, Evaluation& evaluation) {
  return LiteralUtil::CreateR0(U32, static_cast<std::uint32_t>(evaluation.device().id().partition));
}

}  // namespace

const Op op_partition_id = {
    .name = "partition-id",
    .meaning = "The partition of the device that runs.",
    .legality = {.arity = Exactly(0), .types = TypesOf(U32), .infer = InferPartitionId},
    .evaluation = {.evaluate = EvaluatePartitionId, .depends_on_device = true},
};

}  // namespace assay
