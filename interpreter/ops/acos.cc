#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_acos = {
    .name = "acos",
    .meaning = "The inverse cosine, in [0, pi] for reals.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kAcos, &kComplexAcos>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
