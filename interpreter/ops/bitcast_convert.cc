#include "interpreter/ops/record.h"

namespace assay {

const Op op_bitcast_convert = {
    .name = "bitcast-convert",
    .meaning = "The bits of the operand read as another element type.",
    .arity = Exactly(1),
    .types = kArrays,
    .shape_is_inferable = false,
};

}  // namespace assay
