#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_tan = {
    .name = "tan",
    .meaning = "The tangent.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kTan, &kComplexTan>},
    .acceptance = {.rule = Acceptance::kUlp},
};

}  // namespace assay
