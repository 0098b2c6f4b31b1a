#include "interpreter/ops/record.h"

namespace assay {

const Op op_tuple = {
    .name = "tuple",
    .meaning = "A tuple of the operands.",
    .arity = AtLeast(0),
    .types = kAny,
    .role = OpRole::kTuple,
};

}  // namespace assay
