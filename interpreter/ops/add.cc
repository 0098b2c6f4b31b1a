#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"

namespace assay {

const Op op_add = {
    .name = "add",
    .meaning = "The sum; logical or for pred; integers wrap.",
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = InferBinary},
    .evaluation = {.kernel = NumberKernel<[](auto a, auto b) { return a + b; }>},
    .acceptance = {.folded = Acceptance::kSum, .image = Monotone<1, 1>, .adds_terms = true, .is_increasing = true},
};

}  // namespace assay
