#include <cmath>

#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_is_finite = {
    .name = "is-finite",
    .meaning = "Whether the element is neither infinite nor NaN.",
    .arity = Exactly(1),
    .types = kFloats,
    .infer = InferPredicate,
    .kernel = RealKernel<[](auto a) { return std::isfinite(a); }>,
};

}  // namespace assay
