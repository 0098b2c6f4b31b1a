#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_cosh = {
    .name = "cosh",
    .meaning = "The hyperbolic cosine.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kCosh, &kComplexCosh>},
    .acceptance = {.rule = Acceptance::kUlp, .range = {.low = 1}},
};

}  // namespace assay
