#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_divide = {
    .name = "divide",
    .meaning = "The quotient; integers truncate toward zero.",
    .legality = {.arity = Exactly(2), .types = kIntegral | kFloats | kComplex, .infer = InferBinary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a, auto b) { return a / b; }, kArrays>},
};

}  // namespace assay
