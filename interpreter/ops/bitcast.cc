#include "interpreter/ops/record.h"

namespace assay {

const Op op_bitcast = {
    .name = "bitcast",
    .meaning = "The bytes of the operand under another shape and layout.",
    .arity = Exactly(1),
    .types = kArrays,
    .shape_is_inferable = false,
    .keeps_scalars = true,
};

}  // namespace assay
