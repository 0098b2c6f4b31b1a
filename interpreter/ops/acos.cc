#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_acos = {
    .name = "acos",
    .meaning = "The inverse cosine, in [0, pi] for reals.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Acos(a); }, kFloats | kComplex>},
};

}  // namespace assay
