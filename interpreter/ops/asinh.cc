#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

const Op op_asinh = {
    .name = "asinh",
    .meaning = "The inverse hyperbolic sine.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kAsinh, &kComplexAsinh>},
    .acceptance = {.rule = Acceptance::kUlp, .image = Monotone<1>},
};

}  // namespace assay
