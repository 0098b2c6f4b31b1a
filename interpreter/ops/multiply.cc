#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_multiply = {
    .name = "multiply",
    .meaning = "The product; logical and for pred; integers wrap.",
    .arity = Exactly(2),
    .types = kArrays,
    .infer = InferBinary,
    .kernel = NumberKernel<[](auto a, auto b) { return a * b; }, ComplexMultiply>,
    .complex_acceptance = Acceptance::kUlp,
    .folded = Acceptance::kProduct,
};

}  // namespace assay
