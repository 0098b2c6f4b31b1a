#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_shift_right_logical = {
    .name = "shift-right-logical",
    .meaning = "Right shift that brings in zeros.",
    .legality = {.arity = Exactly(2), .types = kIntegral, .infer = InferBinary},
    .evaluation = {.kernel = IntegerKernel<[](auto a, auto b) { return ShiftRightLogical(a, b); }>},
};

}  // namespace assay
