#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_cosine = {
    .name = "cosine",
    .meaning = "The cosine.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kCos, &kComplexCos>,
    .acceptance = Acceptance::kUlp,
    .range = {-1, 1},
};

}  // namespace assay
