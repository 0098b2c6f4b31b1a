#include "interpreter/ops/record.h"

namespace assay {

const Op op_exponential = {
    .name = "exponential",
    .meaning = "The natural exponential.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .acceptance = Acceptance::kUlp,
    .ulp = 2,
};

}  // namespace assay
