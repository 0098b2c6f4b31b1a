#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_abs = {
    .name = "abs",
    .meaning = "The magnitude of each element; for complex elements the modulus.",
    .legality = {.arity = Exactly(1), .types = kSignedIntegral | kFloats | kComplex, .infer = InferComponent},
    .evaluation = {.kernel = NumberKernel<[](auto a) { return Abs(a); }, ComplexAbs>},
    .acceptance = {.complex_rule = Acceptance::kUlp},
};

}  // namespace assay
