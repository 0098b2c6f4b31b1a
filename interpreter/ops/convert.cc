#include "interpreter/ops/record.h"

namespace assay {

const Op op_convert = {
    .name = "convert",
    .meaning = "Each element converted to the result type, rounded once.",
    .arity = Exactly(1),
    .types = kArrays,
    .shape_is_inferable = false,
};

}  // namespace assay
