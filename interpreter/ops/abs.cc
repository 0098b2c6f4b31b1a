#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_abs = {
    .name = "abs",
    .meaning = "The magnitude of each element; for complex elements the modulus.",
    .arity = Exactly(1),
    .types = kSignedIntegral | kFloats | kComplex,
    .infer = InferComponent,
    .kernel = NumberKernel<[](auto a) { return Abs(a); }, ComplexAbs>,
    .complex_acceptance = Acceptance::kUlp,
};

}  // namespace assay
