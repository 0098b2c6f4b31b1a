#include "interpreter/ops/record.h"

namespace assay {

const Op op_shift_right_arithmetic = {
    .name = "shift-right-arithmetic",
    .meaning = "Right shift that repeats the sign bit.",
    .arity = Exactly(2),
    .types = kIntegral,
};

}  // namespace assay
