#include <cmath>

#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_round_nearest_even = {
    .name = "round-nearest-even",
    .meaning = "The nearest integral value, ties to even.",
    .arity = Exactly(1),
    .types = kFloats,
    .infer = InferUnary,
    .kernel = RealKernel<[](auto a) { return std::nearbyint(a); }>,
};

}  // namespace assay
