#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_atan2 = {
    .name = "atan2",
    .meaning = "The angle of the point (rhs, lhs).",
    .legality = {.arity = Exactly(2), .types = kFloats | kComplex, .infer = InferBinary},
    .evaluation = {.kernel = FunctionKernel<&kAtan2, &kComplexAtan2>},
    .acceptance = {.rule = Acceptance::kUlp},
};

}  // namespace assay
