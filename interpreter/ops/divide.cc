#include "interpreter/ops/record.h"

namespace assay {

const Op op_divide = {
    .name = "divide",
    .meaning = "The quotient; integers truncate toward zero.",
    .arity = Exactly(2),
    .types = kIntegral | kFloats | kComplex,
    .acceptance = Acceptance::kUlp,
    .ulp = 1,
};

}  // namespace assay
