#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_count_leading_zeros = {
    .name = "count-leading-zeros",
    .meaning = "The number of zero bits above the highest one bit.",
    .legality = {.arity = Exactly(1), .types = kIntegral, .infer = InferUnary},
    .evaluation = {.kernel = IntegerKernel<[](auto a) { return CountLeadingZeros(a); }>},
};

}  // namespace assay
