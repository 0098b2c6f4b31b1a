#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_acosh = {
    .name = "acosh",
    .meaning = "The inverse hyperbolic cosine.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kAcosh, &kComplexAcosh>,
    .acceptance = Acceptance::kUlp,
    .range = {.low = 0},
};

}  // namespace assay
