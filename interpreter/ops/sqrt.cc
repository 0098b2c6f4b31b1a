#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

const Op op_sqrt = {
    .name = "sqrt",
    .meaning = "The square root.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = RealKernel<[](auto a) { return std::sqrt(a); }, &kComplexSqrt>},
    .acceptance = {.rule = Acceptance::kUlp, .image = Monotone<1>, .range = {.low = 0}},
};

}  // namespace assay
