#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_all_reduce = {
    .name = "all-reduce",
    .meaning = "Operands of all devices of a group, folded by a computation.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}), Flag("constrain_layout"),
                   Flag("use_global_device_ids"),
                   ReadOnly("mode", AttributeKind::kEnum,
                            {"cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id"}),
                   Required("to_apply", AttributeKind::kComputation)},
    .shape_is_inferable = false,
    .allows_mixed_precision = true,
    .infer = InferAllReduce,
    .not_evaluated = "needs several devices",
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
