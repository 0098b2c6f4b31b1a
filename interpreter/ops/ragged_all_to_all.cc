#include "interpreter/ops/record.h"

namespace assay {

const Op op_ragged_all_to_all = {
    .name = "ragged-all-to-all",
    .meaning = "Ragged blocks exchanged between all devices of a group.",
    .arity = Exactly(6),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Printed("replica_groups", AttributeKind::kReplicaGroups, ReplicaGroups{}),
                   ReadOnly("dimensions", AttributeKind::kInt64List)},
    .shape_is_inferable = false,
};

}  // namespace assay
