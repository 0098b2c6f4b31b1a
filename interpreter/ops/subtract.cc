#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_subtract = {
    .name = "subtract",
    .meaning = "The difference; integers wrap.",
    .legality = {.arity = Exactly(2), .types = kIntegral | kFloats | kComplex, .infer = InferBinary},
    .evaluation = {.kernel = NumberKernel<[](auto a, auto b) { return a - b; }>},
    .acceptance = {.folded = Acceptance::kCalled},
};

}  // namespace assay
