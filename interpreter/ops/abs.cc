#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_abs = {
    .name = "abs",
    .meaning = "The magnitude of each element; for complex elements the modulus.",
    .legality = {.arity = Exactly(1), .types = kSignedIntegral | kFloats | kComplex, .infer = InferComponent},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Abs(a); }, kArrays>},
};

}  // namespace assay
