#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_multiply = {
    .name = "multiply",
    .meaning = "The product; logical and for pred; integers wrap.",
    .legality = {.arity = Exactly(2), .types = kArrays, .infer = InferBinary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a, auto b) { return a * b; }, kArrays>},
};

}  // namespace assay
