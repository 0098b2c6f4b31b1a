#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_remainder = {
    .name = "remainder",
    .meaning = "The remainder, with the sign of the dividend.",
    .legality = {.arity = Exactly(2), .types = kIntegral | kFloats, .infer = InferBinary},
    .evaluation = {.kernel =
                       plain::ElementWise<[](auto a, auto b) { return Remainder(a, b); }, kPred | kIntegral | kFloats>},
};

}  // namespace assay
