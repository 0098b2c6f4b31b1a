#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_count_leading_zeros = {
    .name = "count-leading-zeros",
    .meaning = "The number of zero bits above the highest one bit.",
    .arity = Exactly(1),
    .types = kIntegral,
    .infer = InferUnary,
    .kernel = IntegerKernel<[](auto a) { return CountLeadingZeros(a); }>,
};

}  // namespace assay
