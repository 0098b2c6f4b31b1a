#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_remainder = {
    .name = "remainder",
    .meaning = "The remainder, with the sign of the dividend.",
    .legality = {.arity = Exactly(2), .types = kIntegral | kFloats, .infer = InferBinary},
    .evaluation = {.kernel = NumberKernel<[](auto a, auto b) { return Remainder(a, b); }>},
};

}  // namespace assay
