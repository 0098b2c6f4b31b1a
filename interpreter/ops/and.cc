#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_and = {
    .name = "and",
    .meaning = "Bitwise and.",
    .legality = {.arity = Exactly(2), .types = kPred | kIntegral, .infer = InferBinary},
    .evaluation = {.kernel = IntegerKernel<[](auto a, auto b) { return a & b; }>},
};

}  // namespace assay
