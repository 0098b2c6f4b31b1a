#include "interpreter/ops/record.h"

namespace assay {

const Op op_collective_permute_start = {
    .name = "collective-permute-start",
    .meaning = "The start of an asynchronous collective-permute.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Required("source_target_pairs", AttributeKind::kInt64ListList),
                   Optional("slice_sizes", AttributeKind::kInt64ListList)},
    .shape_is_inferable = false,
};

}  // namespace assay
