#include "interpreter/ops/record.h"

namespace assay {

const Op op_scatter = {
    .name = "scatter",
    .meaning = "The operand with updates combined in at indices.",
    .arity = AtLeast(3),
    .types = kArrays,
    .attributes = {Required("update_window_dims", AttributeKind::kInt64List),
                   Required("inserted_window_dims", AttributeKind::kInt64List),
                   Required("scatter_dims_to_operand_dims", AttributeKind::kInt64List),
                   Optional("input_batching_dims", AttributeKind::kInt64List),
                   Optional("scatter_indices_batching_dims", AttributeKind::kInt64List),
                   Required("index_vector_dim", AttributeKind::kInt64), Flag("indices_are_sorted"),
                   Flag("unique_indices"), Required("to_apply", AttributeKind::kComputation)},
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
