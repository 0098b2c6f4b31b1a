#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

const Op op_exponential = {
    .name = "exponential",
    .meaning = "The natural exponential.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kExp, &kComplexExp>},
    .acceptance = {.rule = Acceptance::kUlp, .image = Monotone<1>, .range = {.low = 0}},
};

}  // namespace assay
