#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_subtract = {
    .name = "subtract",
    .meaning = "The difference; integers wrap.",
    .arity = Exactly(2),
    .types = kIntegral | kFloats | kComplex,
    .infer = InferBinary,
    .kernel = NumberKernel<[](auto a, auto b) { return a - b; }>,
    .folded = Acceptance::kCalled,
};

}  // namespace assay
