#include "interpreter/ops/record.h"

namespace assay {

const Op op_imag = {
    .name = "imag",
    .meaning = "The imaginary part; 0 for floats.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
};

}  // namespace assay
