#include "interpreter/ops/record.h"

namespace assay {

const Op op_set_dimension_size = {
    .name = "set-dimension-size",
    .meaning = "The operand with the run-time size of a dimension set.",
    .arity = Exactly(2),
    .types = kArrays,
    .attributes = {Required("dimensions", AttributeKind::kInt64List)},
};

}  // namespace assay
