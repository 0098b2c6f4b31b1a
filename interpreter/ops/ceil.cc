#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_ceil = {
    .name = "ceil",
    .meaning = "The least integral value not below the element.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Ceil(a); }, kFloats>},
};

}  // namespace assay
