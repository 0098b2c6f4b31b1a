#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {

const Op op_popcnt = {
    .name = "popcnt",
    .meaning = "The number of one bits.",
    .legality = {.arity = Exactly(1), .types = kIntegral, .infer = InferUnary},
    .evaluation = {.kernel = plain::ElementWise<[](auto a) { return PopulationCount(a); }, kPred | kIntegral>},
};

}  // namespace assay
