#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_sine = {
    .name = "sine",
    .meaning = "The sine.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kSin, &kComplexSin>,
    .acceptance = Acceptance::kUlp,
    .range = {-1, 1},
};

}  // namespace assay
