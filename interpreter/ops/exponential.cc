#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_exponential = {
    .name = "exponential",
    .meaning = "The natural exponential.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kExp, &kComplexExp>},
    .acceptance = {.rule = Acceptance::kUlp, .range = {.low = 0}},
};

}  // namespace assay
