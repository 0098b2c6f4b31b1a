#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_atan = {
    .name = "atan",
    .meaning = "The inverse tangent.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Atan(a); }, kFloats | kComplex>},
};

}  // namespace assay
