#include "interpreter/ops/record.h"

namespace assay {

const Op op_atan = {
    .name = "atan",
    .meaning = "The inverse tangent.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .acceptance = Acceptance::kUlp,
    .ulp = 4,
};

}  // namespace assay
