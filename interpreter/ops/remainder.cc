#include "interpreter/ops/record.h"

namespace assay {

const Op op_remainder = {
    .name = "remainder",
    .meaning = "The remainder, with the sign of the dividend.",
    .arity = Exactly(2),
    .types = kIntegral | kFloats | kComplex,
};

}  // namespace assay
