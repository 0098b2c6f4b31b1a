#include "interpreter/ops/record.h"

namespace assay {

const Op op_slice = {
    .name = "slice",
    .meaning = "A strided box of the operand.",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {Required("slice", AttributeKind::kSlice)},
    .shape_is_inferable = false,
};

}  // namespace assay
