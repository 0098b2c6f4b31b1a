#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_add = {
    .name = "add",
    .meaning = "The sum; logical or for pred; integers wrap.",
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = InferBinary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a, auto b) { return a + b; }, kPred | kIntegral | kFloats>},
};

}  // namespace assay
