#include "interpreter/ops/record.h"

namespace assay {

const Op op_reduce_scatter = {
    .name = "reduce-scatter",
    .meaning = "An all-reduce of which each device keeps its shard.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                   Flag("constrain_layout"),
                   Flag("use_global_device_ids"),
                   ReadOnly("mode", AttributeKind::kEnum,
                            {"cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id"}),
                   OneDimension("dimensions"),
                   {.name = "to_apply", .kind = AttributeKind::kComputation, .required = true, .body_name = "calls"}},
    .shape_is_inferable = false,
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
