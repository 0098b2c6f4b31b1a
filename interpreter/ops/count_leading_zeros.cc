#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_count_leading_zeros = {
    .name = "count-leading-zeros",
    .meaning = "The number of zero bits above the highest one bit.",
    .legality = {.arity = Exactly(1), .types = kIntegral, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return CountLeadingZeros(a); }, kPred | kIntegral>},
};

}  // namespace assay
