#include "interpreter/hlo/device.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferReplicaId(const HloInstruction&) { return ShapeUtil::MakeScalarShape(U32); }

Literal EvaluateReplicaId(const HloInstruction&, std::span<Literal>, Evaluation& evaluation) {
  return LiteralUtil::CreateR0(U32, static_cast<std::uint32_t>(evaluation.device().id().replica));
}

}  // namespace

const Op op_replica_id = {
    .name = "replica-id",
    .meaning = "The replica of the device that runs.",
    .legality = {.arity = Exactly(0), .types = TypesOf(U32), .infer = InferReplicaId},
    .evaluation = {.evaluate = EvaluateReplicaId, .depends_on_device = true},
};

}  // namespace assay
