#include "interpreter/ops/record.h"

namespace assay {

const Op op_atan2 = {
    .name = "atan2",
    .meaning = "The angle of the point (rhs, lhs).",
    .arity = Exactly(2),
    .types = kFloats | kComplex,
    .acceptance = Acceptance::kUlp,
    .ulp = 4,
};

}  // namespace assay
