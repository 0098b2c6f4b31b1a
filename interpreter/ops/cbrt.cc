#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_cbrt = {
    .name = "cbrt",
    .meaning = "The real cube root.",
    .arity = Exactly(1),
    .types = kFloats,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kCbrt>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
