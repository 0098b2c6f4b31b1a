#include "interpreter/ops/record.h"

namespace assay {

const Op op_sine = {
    .name = "sine",
    .meaning = "The sine.",
    .arity = Exactly(1),
    .types = kFloats | kComplex,
    .accepts_result_accuracy = true,
    .acceptance = Acceptance::kUlp,
    .ulp = 2,
};

}  // namespace assay
