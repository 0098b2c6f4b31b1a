#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_atan2 = {
    .name = "atan2",
    .meaning = "The angle of the point (rhs, lhs).",
    .arity = Exactly(2),
    .types = kFloats | kComplex,
    .infer = InferBinary,
    .kernel = FunctionKernel<&kAtan2, &kComplexAtan2>,
    .acceptance = Acceptance::kUlp,
};

}  // namespace assay
