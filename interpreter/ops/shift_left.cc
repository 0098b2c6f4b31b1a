#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_shift_left = {
    .name = "shift-left",
    .meaning = "Left shift; 0 when the amount is not below the width.",
    .legality = {.arity = Exactly(2), .types = kIntegral, .infer = InferBinary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a, auto b) { return ShiftLeft(a, b); }, kPred | kIntegral>},
};

}  // namespace assay
