#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_shift_right_arithmetic = {
    .name = "shift-right-arithmetic",
    .meaning = "Right shift that repeats the sign bit.",
    .legality = {.arity = Exactly(2), .types = kIntegral, .infer = InferBinary},
    .evaluation =
        {.kernel = plain::ElementWise<[](auto a, auto b) { return ShiftRightArithmetic(a, b); }, kPred | kIntegral>},
};

}  // namespace assay
