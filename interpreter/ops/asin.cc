#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_asin = {
    .name = "asin",
    .meaning = "The inverse sine, in [-pi/2, pi/2] for reals.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kAsin, &kComplexAsin>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
