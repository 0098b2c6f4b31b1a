#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_round_nearest_afz = {
    .name = "round-nearest-afz",
    .meaning = "The nearest integral value, ties away from zero.",
    .legality = {.arity = Exactly(1), .types = kFloats, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return RoundAwayFromZero(a); }, kFloats>},
};

}  // namespace assay
