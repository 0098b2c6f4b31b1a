#include "interpreter/ops/record.h"

namespace assay {

const Op op_or = {
    .name = "or",
    .meaning = "Bitwise or.",
    .arity = Exactly(2),
    .types = kPred | kIntegral,
};

}  // namespace assay
