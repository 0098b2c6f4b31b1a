#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_sinh = {
    .name = "sinh",
    .meaning = "The hyperbolic sine.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kSinh, &kComplexSinh>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
