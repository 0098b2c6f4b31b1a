#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_add = {
    .name = "add",
    .meaning = "The sum; logical or for pred; integers wrap.",
    .arity = Exactly(2),
    .types = kArrays,
    .infer = InferBinary,
    .kernel = NumberKernel<[](auto a, auto b) { return a + b; }>,
    .folded = Acceptance::kSum,
};

}  // namespace assay
