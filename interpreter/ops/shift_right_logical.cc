#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_shift_right_logical = {
    .name = "shift-right-logical",
    .meaning = "Right shift that brings in zeros.",
    .legality = {.arity = Exactly(2), .types = kIntegral, .infer = InferBinary},
    .evaluation = {.kernel =
                       plain::ElementWise<[](auto a, auto b) { return ShiftRightLogical(a, b); }, kPred | kIntegral>},
};

}  // namespace assay
