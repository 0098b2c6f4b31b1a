#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_asin = {
    .name = "asin",
    .meaning = "The inverse sine, in [-pi/2, pi/2] for reals.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Asin(a); }, kFloats | kComplex>},
};

}  // namespace assay
