#include "interpreter/ops/record.h"

namespace assay {

const Op op_dynamic_slice = {
    .name = "dynamic-slice",
    .meaning = "A box of the operand at run-time start indices, clamped into range.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Required("dynamic_slice_sizes", AttributeKind::kInt64List)},
    .shape_is_inferable = false,
};

}  // namespace assay
