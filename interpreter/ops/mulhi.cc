#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_mulhi = {
    .name = "mulhi",
    .meaning = "The upper half of the double-width product.",
    .legality = {.arity = Exactly(2), .types = kIntegral, .infer = InferBinary},
    .evaluation = {.kernel = IntegerKernel<[](auto a, auto b) { return MultiplyHigh(a, b); }>},
};

}  // namespace assay
