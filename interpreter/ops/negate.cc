#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

const Op op_negate = {
    .name = "negate",
    .meaning = "The element with its sign changed; integers wrap.",
    .legality = {.arity = Exactly(1), .types = kIntegral | kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = NumberKernel<[](auto a) { return -a; }>},
    .acceptance = {.image = Monotone<-1>, .keeps_terms = true},
};

}  // namespace assay
