#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_minimum = {
    .name = "minimum",
    .meaning = "The smaller operand; NaN when either is NaN; -0 is smaller than +0.",
    .legality = {.arity = Exactly(2), .types = kPred | kIntegral | kFloats, .infer = InferBinary},
    .evaluation = {.kernel =
                       plain::ElementWise<[](auto a, auto b) { return Minimum(a, b); }, kPred | kIntegral | kFloats>},
};

}  // namespace assay
