#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_exponential = {
    .name = "exponential",
    .meaning = "The natural exponential.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kExp, &kComplexExp>,
    .acceptance = Acceptance::kUlp,
    .range = {.low = 0},
};

}  // namespace assay
