#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_rsqrt = {
    .name = "rsqrt",
    .meaning = "The reciprocal of the square root.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kRsqrt, &kComplexRsqrt>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
