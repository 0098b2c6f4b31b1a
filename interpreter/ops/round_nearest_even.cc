#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_round_nearest_even = {
    .name = "round-nearest-even",
    .meaning = "The nearest integral value, ties to even.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return RoundToEven(a); }, kFloats>},
};

}  // namespace assay
