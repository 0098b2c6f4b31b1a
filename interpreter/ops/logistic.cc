#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_logistic = {
    .name = "logistic",
    .meaning = "1 / (1 + exp(-x)), rounded once.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kLogistic, &kComplexLogistic>,
    .acceptance = Acceptance::kUlp,
    .range = {0, 1},
};

}  // namespace assay
