#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_subtract = {
    .name = "subtract",
    .meaning = "The difference; integers wrap.",
    .legality = {.arity = Exactly(2), .types = kIntegral | kFloats | kComplex, .infer = InferBinary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a, auto b) { return a - b; }, kPred | kIntegral | kFloats>},
};

}  // namespace assay
