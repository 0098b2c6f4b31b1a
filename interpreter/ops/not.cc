#include "interpreter/ops/record.h"

namespace assay {

const Op op_not = {
    .name = "not",
    .meaning = "Bitwise complement; logical for pred.",
    .arity = Exactly(1),
    .types = kPred | kIntegral,
};

}  // namespace assay
