#include "interpreter/ops/record.h"

namespace assay {

const Op op_all_to_all = {
    .name = "all-to-all",
    .meaning = "Blocks exchanged between all devices of a group.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}), Flag("constrain_layout"),
                   OneDimension("dimensions", /*required=*/false)},
    .shape_is_inferable = false,
};

}  // namespace assay
