#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_atan = {
    .name = "atan",
    .meaning = "The inverse tangent.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kAtan, &kComplexAtan>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
