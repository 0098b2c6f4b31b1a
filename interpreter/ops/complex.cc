#include "interpreter/ops/record.h"

namespace assay {

const Op op_complex = {
    .name = "complex",
    .meaning = "The complex number with the operands as real and imaginary part.",
    .arity = Exactly(2),
    .types = TypesOf(F32, F64),
};

}  // namespace assay
