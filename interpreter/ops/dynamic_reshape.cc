#include "interpreter/ops/record.h"

namespace assay {

const Op op_dynamic_reshape = {
    .name = "dynamic-reshape",
    .meaning = "A reshape whose result sizes are operands.",
    .arity = AtLeast(1),
    .types = kArrays,
    .shape_is_inferable = false,
};

}  // namespace assay
