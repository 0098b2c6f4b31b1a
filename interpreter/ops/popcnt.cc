#include "interpreter/ops/elementwise.h"

namespace assay {

const Op op_popcnt = {
    .name = "popcnt",
    .meaning = "The number of one bits.",
    .arity = Exactly(1),
    .types = kIntegral,
    .infer = InferUnary,
    .kernel = IntegerKernel<[](auto a) { return PopulationCount(a); }>,
};

}  // namespace assay
