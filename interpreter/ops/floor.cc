#include <cmath>

#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_floor = {
    .name = "floor",
    .meaning = "The greatest integral value not above the element.",
    .arity = Exactly(1),
    .types = kFloats,
    .infer = InferUnary,
    .kernel = RealKernel<[](auto a) { return std::floor(a); }>,
};

}  // namespace assay
