#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_log = {
    .name = "log",
    .meaning = "The natural logarithm.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kLog, &kComplexLog>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
