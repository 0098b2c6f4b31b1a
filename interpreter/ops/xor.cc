#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_xor = {
    .name = "xor",
    .meaning = "Bitwise exclusive or.",
    .arity = Exactly(2),
    .types = kPred | kIntegral,
    .infer = InferBinary,
    .kernel = IntegerKernel<[](auto a, auto b) { return a ^ b; }>,
};

}  // namespace assay
