#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_divide = {
    .name = "divide",
    .meaning = "The quotient; integers truncate toward zero.",
    .arity = Exactly(2),
    .types = kIntegral | kFloats | kComplex,
    .infer = InferBinary,
    .kernel = NumberKernel<[](auto a, auto b) { return a / b; }, ComplexDivide>,
    .acceptance = Acceptance::kUlp,
    .folded = Acceptance::kCalled,
};

}  // namespace assay
