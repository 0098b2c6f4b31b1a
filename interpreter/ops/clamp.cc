#include "interpreter/ops/record.h"

namespace assay {

const Op op_clamp = {
    .name = "clamp",
    .meaning = "minimum(maximum(x, min), max).",
    .arity = Exactly(3),
    .types = kArrays,
};

}  // namespace assay
