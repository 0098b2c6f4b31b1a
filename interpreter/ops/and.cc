#include "interpreter/ops/record.h"

namespace assay {

const Op op_and = {
    .name = "and",
    .meaning = "Bitwise and.",
    .arity = Exactly(2),
    .types = kPred | kIntegral,
};

}  // namespace assay
