#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_or = {
    .name = "or",
    .meaning = "Bitwise or.",
    .legality = {.arity = Exactly(2), .types = kPred | kIntegral, .infer = InferBinary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a, auto b) { return a | b; }, kPred | kIntegral>},
};

}  // namespace assay
