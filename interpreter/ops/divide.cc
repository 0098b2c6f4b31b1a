#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_divide = {
    .name = "divide",
    .meaning = "The quotient; integers truncate toward zero.",
    .legality = {.arity = Exactly(2), .types = kIntegral | kFloats | kComplex, .infer = InferBinary},
    .evaluation = {.kernel = NumberKernel<[](auto a, auto b) { return a / b; }, ComplexDivide>},
    .acceptance = {.rule = Acceptance::kUlp, .folded = Acceptance::kCalled},
};

}  // namespace assay
