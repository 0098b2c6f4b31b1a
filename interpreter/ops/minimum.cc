#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_minimum = {
    .name = "minimum",
    .meaning = "The smaller operand; NaN when either is NaN; -0 is smaller than +0.",
    .arity = Exactly(2),
    .types = kPred | kIntegral | kFloats,
    .infer = InferBinary,
    .kernel = NumberKernel<[](auto a, auto b) { return Minimum(a, b); }>,
};

}  // namespace assay
