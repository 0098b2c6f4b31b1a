#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

const Op op_acos = {
    .name = "acos",
    .meaning = "The inverse cosine, in [0, pi] for reals.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = FunctionKernel<&kAcos, &kComplexAcos>},
    .acceptance = {.rule = Acceptance::kUlp, .image = Monotone<-1>},
};

}  // namespace assay
