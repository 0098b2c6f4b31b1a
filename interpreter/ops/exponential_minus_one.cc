#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_exponential_minus_one = {
    .name = "exponential-minus-one",
    .meaning = "exp(x) - 1, rounded once.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Expm1(a); }, kFloats | kComplex>},
};

}  // namespace assay
