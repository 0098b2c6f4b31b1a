#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_sine = {
    .name = "sine",
    .meaning = "The sine.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kSin, &kComplexSin>},
    .acceptance = {.rule = Acceptance::kUlp, .range = {-1, 1}},
};

}  // namespace assay
