#include "interpreter/ops/record.h"

namespace assay {

const Op op_exponential_minus_one = {
    .name = "exponential-minus-one",
    .meaning = "exp(x) - 1, rounded once.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .acceptance = Acceptance::kUlp,
    .ulp = 2,
};

}  // namespace assay
