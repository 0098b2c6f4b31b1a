#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_cosh = {
    .name = "cosh",
    .meaning = "The hyperbolic cosine.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kCosh, &kComplexCosh>,
    .acceptance = Acceptance::kUlp,
    .range = {.low = 1},
};

}  // namespace assay
