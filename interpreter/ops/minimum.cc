#include "interpreter/ops/record.h"

namespace assay {

const Op op_minimum = {
    .name = "minimum",
    .meaning = "The smaller operand; NaN when either is NaN; -0 is smaller than +0.",
    .arity = Exactly(2),
    .types = kArrays,
};

}  // namespace assay
