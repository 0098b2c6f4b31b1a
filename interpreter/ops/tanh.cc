#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_tanh = {
    .name = "tanh",
    .meaning = "The hyperbolic tangent.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kTanh, &kComplexTanh>},
    .acceptance = {.rule = Acceptance::kUlp, .range = {-1, 1}},
};

}  // namespace assay
