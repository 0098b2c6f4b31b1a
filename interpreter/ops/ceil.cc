#include "interpreter/ops/record.h"

namespace assay {

const Op op_ceil = {
    .name = "ceil",
    .meaning = "The least integral value not below the element.",
    .arity = Exactly(1),
    .types = kFloats,
};

}  // namespace assay
