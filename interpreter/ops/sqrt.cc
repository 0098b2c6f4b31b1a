#include <cmath>

#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_sqrt = {
    .name = "sqrt",
    .meaning = "The square root.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .infer = InferUnary,
    .kernel = RealKernel<[](auto a) { return std::sqrt(a); }, &kComplexSqrt>,
    .acceptance = Acceptance::kUlp,
    .range = {.low = 0},
};

}  // namespace assay
