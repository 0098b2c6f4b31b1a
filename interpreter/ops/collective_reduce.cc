#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/record.h"

namespace assay {
const Op op_collective_reduce = {
    .name = "collective-reduce",
    .meaning = "Operands of all devices of a group, folded for one of them.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                   Flag("constrain_layout"),
                   Flag("use_global_device_ids"),
                   Flag("has_dynamic_root"),
                   {.name = "to_apply", .kind = AttributeKind::kComputation, .required = true, .body_name = "calls"}},
    .shape_is_inferable = false,
    .infer = InferAllReduce,
    .not_evaluated = "needs several devices",
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
