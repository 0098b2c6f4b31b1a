#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_erf = {
    .name = "erf",
    .meaning = "The error function.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kErf>},
    .acceptance = {.rule = Acceptance::kUlp, .range = {-1, 1}},
};

}  // namespace assay
