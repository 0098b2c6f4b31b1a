#include "interpreter/ops/record.h"

namespace assay {

const Op op_power = {
    .name = "power",
    .meaning = "The first operand raised to the second.",
    .arity = Exactly(2),
    .types = kIntegral | kFloats | kComplex,
    .acceptance = Acceptance::kUlp,
    .ulp = 4,
};

}  // namespace assay
