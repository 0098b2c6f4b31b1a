#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_tanh = {
    .name = "tanh",
    .meaning = "The hyperbolic tangent.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kTanh, &kComplexTanh>,
    .acceptance = Acceptance::kUlp,
    .range = {-1, 1},
};

}  // namespace assay
