#include "interpreter/ops/record.h"

namespace assay {

const Op op_shift_left = {
    .name = "shift-left",
    .meaning = "Left shift; 0 when the amount is not below the width.",
    .arity = Exactly(2),
    .types = kIntegral,
};

}  // namespace assay
