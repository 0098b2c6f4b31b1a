#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_cosine = {
    .name = "cosine",
    .meaning = "The cosine.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kCos, &kComplexCos>},
    .acceptance = {.rule = Acceptance::kUlp, .range = {-1, 1}},
};

}  // namespace assay
