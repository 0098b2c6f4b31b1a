#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_mulhi = {
    .name = "mulhi",
    .meaning = "The upper half of the double-width product.",
    .legality = {.arity = Exactly(2), .types = kIntegral, .infer = InferBinary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a, auto b) { return MultiplyHigh(a, b); }, kPred | kIntegral>},
};

}  // namespace assay
