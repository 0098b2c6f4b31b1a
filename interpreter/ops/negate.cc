#include "interpreter/ops/record.h"

namespace assay {

const Op op_negate = {
    .name = "negate",
    .meaning = "The element with its sign changed; integers wrap.",
    .arity = Exactly(1),
    .types = kIntegral | kFloats | kComplex,
};

}  // namespace assay
