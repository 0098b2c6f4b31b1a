#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

const Op op_round_nearest_even = {
    .name = "round-nearest-even",
    .meaning = "The nearest integral value, ties to even.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferUnary},
    .evaluation = {.kernel = RealKernel<[](auto a) { return std::nearbyint(a); }>},
    .acceptance = {.image = Monotone<1>},
};

}  // namespace assay
