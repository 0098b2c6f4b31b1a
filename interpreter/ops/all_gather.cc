#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) { return InferAllGather(instruction, instruction.shape); }

}  // namespace

const Op op_all_gather = {
    .name = "all-gather",
    .meaning = "Operands of all devices of a group, joined along one dimension.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}), Flag("constrain_layout"),
                   OneDimension("dimensions"), Flag("use_global_device_ids")},
    .shape_is_inferable = false,
    .allows_mixed_precision = true,
    .infer = Infer,
    .not_evaluated = "needs several devices",
};

}  // namespace assay
