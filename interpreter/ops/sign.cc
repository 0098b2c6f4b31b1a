#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_sign = {
    .name = "sign",
    .meaning = "-1, 0 or +1 with the sign of the element; z/|z| for complex elements.",
    .legality = {.arity = Exactly(1), .types = kSignedIntegral | kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = NumberKernel<[](auto a) { return Sign(a); }, &kComplexSign>},
    .acceptance = {.complex_rule = Acceptance::kUlp},
};

}  // namespace assay
