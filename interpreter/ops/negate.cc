#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_negate = {
    .name = "negate",
    .meaning = "The element with its sign changed; integers wrap.",
    .legality = {.arity = Exactly(1), .types = kIntegral | kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return -a; }, kPred | kIntegral | kFloats>},
};

}  // namespace assay
