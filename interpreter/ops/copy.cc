#include "interpreter/ops/record.h"

namespace assay {

const Op op_copy = {
    .name = "copy",
    .meaning = "The operand, unchanged, possibly in another layout.",
    .arity = Exactly(1),
    .types = kAny,
    .keeps_scalars = true,
};

}  // namespace assay
