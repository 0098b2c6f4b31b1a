#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_sine = {
    .name = "sine",
    .meaning = "The sine.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Sin(a); }, kFloats | kComplex>},
};

}  // namespace assay
