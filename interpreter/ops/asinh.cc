#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_asinh = {
    .name = "asinh",
    .meaning = "The inverse hyperbolic sine.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kAsinh, &kComplexAsinh>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
