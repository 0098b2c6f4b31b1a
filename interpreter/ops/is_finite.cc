#include "interpreter/ops/record.h"

namespace assay {

const Op op_is_finite = {
    .name = "is-finite",
    .meaning = "Whether the element is neither infinite nor NaN.",
    .arity = Exactly(1),
    .types = kFloats,
};

}  // namespace assay
