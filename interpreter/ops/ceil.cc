#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

const Op op_ceil = {
    .name = "ceil",
    .meaning = "The least integral value not below the element.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferUnary},
    .evaluation = {.kernel = RealKernel<[](auto a) { return std::ceil(a); }>},
    .acceptance = {.image = Monotone<1>},
};

}  // namespace assay
