#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_not = {
    .name = "not",
    .meaning = "Bitwise complement; logical for pred.",
    .arity = Exactly(1),
    .types = kPred | kIntegral,
    .infer = InferUnary,
    .kernel = IntegerKernel<[](auto a) { return ~a; }>,
};

}  // namespace assay
