#include "interpreter/ops/record.h"

namespace assay {

const Op op_xor = {
    .name = "xor",
    .meaning = "Bitwise exclusive or.",
    .arity = Exactly(2),
    .types = kPred | kIntegral,
};

}  // namespace assay
