#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_erf = {
    .name = "erf",
    .meaning = "The error function.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Erf(a); }, kFloats>},
};

}  // namespace assay
