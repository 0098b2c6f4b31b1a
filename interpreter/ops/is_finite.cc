#include <cmath>

#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_is_finite = {
    .name = "is-finite",
    .meaning = "Whether the element is neither infinite nor NaN.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferPredicate},
    .evaluation = {.kernel = RealKernel<[](auto a) { return std::isfinite(a); }>},
};

}  // namespace assay
