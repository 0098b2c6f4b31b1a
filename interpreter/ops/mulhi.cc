#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_mulhi = {
    .name = "mulhi",
    .meaning = "The upper half of the double-width product.",
    .arity = Exactly(2),
    .types = kIntegral,
    .infer = InferBinary,
    .kernel = IntegerKernel<[](auto a, auto b) { return MultiplyHigh(a, b); }>,
};

}  // namespace assay
