#include "interpreter/ops/record.h"

namespace assay {

const Op op_subtract = {
    .name = "subtract",
    .meaning = "The difference; integers wrap.",
    .arity = Exactly(2),
    .types = kIntegral | kFloats | kComplex,
};

}  // namespace assay
