#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_maximum = {
    .name = "maximum",
    .meaning = "The larger operand; NaN when either is NaN; +0 is larger than -0.",
    .legality = {.arity = Exactly(2), .types = kPred | kIntegral | kFloats, .infer = InferBinary},
    .evaluation = {.kernel =
                       plain::ElementWise<[](auto a, auto b) { return Maximum(a, b); }, kPred | kIntegral | kFloats>},
};

}  // namespace assay
