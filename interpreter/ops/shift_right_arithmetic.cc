#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_shift_right_arithmetic = {
    .name = "shift-right-arithmetic",
    .meaning = "Right shift that repeats the sign bit.",
    .arity = Exactly(2),
    .types = kIntegral,
    .infer = InferBinary,
    .kernel = IntegerKernel<[](auto a, auto b) { return ShiftRightArithmetic(a, b); }>,
};

}  // namespace assay
