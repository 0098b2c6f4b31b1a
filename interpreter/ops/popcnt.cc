#include "interpreter/ops/common/elementwise.h"

namespace assay {

const Op op_popcnt = {
    .name = "popcnt",
    .meaning = "The number of one bits.",
    .legality = {.arity = Exactly(1), .types = kIntegral, .infer = InferUnary},
    .evaluation = {.kernel = IntegerKernel<[](auto a) { return PopulationCount(a); }>},
};

}  // namespace assay
