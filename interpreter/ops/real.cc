#include "interpreter/ops/record.h"

namespace assay {

const Op op_real = {
    .name = "real",
    .meaning = "The real part; floats pass through.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
};

}  // namespace assay
