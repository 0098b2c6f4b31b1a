#include "interpreter/ops/record.h"

namespace assay {

const Op op_get_dimension_size = {
    .name = "get-dimension-size",
    .meaning = "The run-time size of a dimension.",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {Required("dimensions", AttributeKind::kInt64List)},
};

}  // namespace assay
