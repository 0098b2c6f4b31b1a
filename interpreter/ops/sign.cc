#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_sign = {
    .name = "sign",
    .meaning = "-1, 0 or +1 with the sign of the element; z/|z| for complex elements.",
    .legality = {.arity = Exactly(1), .types = kSignedIntegral | kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Sign(a); }, kArrays>},
};

}  // namespace assay
