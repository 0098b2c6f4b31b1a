#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_not = {
    .name = "not",
    .meaning = "Bitwise complement; logical for pred.",
    .legality = {.arity = Exactly(1), .types = kPred | kIntegral, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return ~a; }, kPred | kIntegral>},
};

}  // namespace assay
