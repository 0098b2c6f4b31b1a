#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

const Op op_floor = {
    .name = "floor",
    .meaning = "The greatest integral value not above the element.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferUnary},
    .evaluation = {.kernel = RealKernel<[](auto a) { return std::floor(a); }>},
    .acceptance = {.image = Monotone<1>},
};

}  // namespace assay
