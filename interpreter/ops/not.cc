#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_not = {
    .name = "not",
    .meaning = "Bitwise complement; logical for pred.",
    .legality = {.arity = Exactly(1), .types = kPred | kIntegral, .infer = InferUnary},
    .evaluation = {.kernel = IntegerKernel<[](auto a) { return ~a; }>},
};

}  // namespace assay
