#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_atanh = {
    .name = "atanh",
    .meaning = "The inverse hyperbolic tangent.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kAtanh, &kComplexAtanh>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
