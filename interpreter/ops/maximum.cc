#include "interpreter/ops/record.h"

namespace assay {

const Op op_maximum = {
    .name = "maximum",
    .meaning = "The larger operand; NaN when either is NaN; +0 is larger than -0.",
    .arity = Exactly(2),
    .types = kArrays,
};

}  // namespace assay
