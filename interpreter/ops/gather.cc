#include "interpreter/ops/record.h"

namespace assay {

const Op op_gather = {
    .name = "gather",
    .meaning = "Slices of the operand at indices, joined.",
    .arity = Exactly(2),
    .types = kArrays,
    .attributes = {Required("offset_dims", AttributeKind::kInt64List),
                   Required("collapsed_slice_dims", AttributeKind::kInt64List),
                   Required("start_index_map", AttributeKind::kInt64List),
                   Optional("operand_batching_dims", AttributeKind::kInt64List),
                   Optional("start_indices_batching_dims", AttributeKind::kInt64List),
                   Required("index_vector_dim", AttributeKind::kInt64),
                   Required("slice_sizes", AttributeKind::kInt64List), Flag("indices_are_sorted")},
};

}  // namespace assay
