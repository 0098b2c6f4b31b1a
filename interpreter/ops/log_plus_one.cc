#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_log_plus_one = {
    .name = "log-plus-one",
    .meaning = "log(1 + x), rounded once.",
    .syntax = {.accepts_result_accuracy = true},
    .legality = {.arity = Exactly(1), .types = kFloats | kComplex, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Log1p(a); }, kFloats | kComplex>},
};

}  // namespace assay
