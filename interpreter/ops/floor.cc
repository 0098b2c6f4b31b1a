#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_floor = {
    .name = "floor",
    .meaning = "The greatest integral value not above the element.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return Floor(a); }, kFloats>},
};

}  // namespace assay
