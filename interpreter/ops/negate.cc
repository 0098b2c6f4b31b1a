#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_negate = {
    .name = "negate",
    .meaning = "The element with its sign changed; integers wrap.",
    .arity = Exactly(1),
    .types = kIntegral | kFloats | kComplex,
    .infer = InferUnary,
    .kernel = NumberKernel<[](auto a) { return -a; }>,
};

}  // namespace assay
