#include <cmath>

#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_ceil = {
    .name = "ceil",
    .meaning = "The least integral value not below the element.",
    .arity = Exactly(1),
    .types = kFloats,
    .infer = InferUnary,
    .kernel = RealKernel<[](auto a) { return std::ceil(a); }>,
};

}  // namespace assay
