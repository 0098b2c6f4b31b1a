#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_log_plus_one = {
    .name = "log-plus-one",
    .meaning = "log(1 + x), rounded once.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = FunctionKernel<&kLog1p, &kComplexLog1p>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
