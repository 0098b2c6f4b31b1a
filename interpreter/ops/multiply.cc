#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_multiply = {
    .name = "multiply",
    .meaning = "The product; logical and for pred; integers wrap.",
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = InferBinary},
    .evaluation = {.kernel = NumberKernel<[](auto a, auto b) { return a * b; }, ComplexMultiply>},
    .acceptance = {.complex_rule = Acceptance::kUlp, .folded = Acceptance::kProduct},
};

}  // namespace assay
