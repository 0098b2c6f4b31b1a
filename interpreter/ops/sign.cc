#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_sign = {
    .name = "sign",
    .meaning = "-1, 0 or +1 with the sign of the element; z/|z| for complex elements.",
    .arity = Exactly(1),
    .types = kSignedIntegral | kFloats | kComplex,
    .infer = InferUnary,
    .kernel = NumberKernel<[](auto a) { return Sign(a); }, &kComplexSign>,
    .complex_acceptance = Acceptance::kUlp,
};

}  // namespace assay
