#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_exponential_minus_one = {
    .name = "exponential-minus-one",
    .meaning = "exp(x) - 1, rounded once.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kExpm1, &kComplexExpm1>,
    .acceptance = Acceptance::kUlp,
    .range = {.low = -1},
};

}  // namespace assay
