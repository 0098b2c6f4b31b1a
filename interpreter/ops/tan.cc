#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_tan = {
    .name = "tan",
    .meaning = "The tangent.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kTan, &kComplexTan>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
