#include "interpreter/ops/record.h"

namespace assay {

const Op op_popcnt = {
    .name = "popcnt",
    .meaning = "The number of one bits.",
    .arity = Exactly(1),
    .types = kIntegral,
};

}  // namespace assay
