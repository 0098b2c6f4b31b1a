#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_erf = {
    .name = "erf",
    .meaning = "The error function.",
    .arity = Exactly(1),
    .types = kFloats,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kErf>,
    .acceptance = Acceptance::kUlp,
    .range = {-1, 1},
};

}  // namespace assay
