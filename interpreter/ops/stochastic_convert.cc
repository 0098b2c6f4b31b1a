#include "interpreter/ops/record.h"

namespace assay {

const Op op_stochastic_convert = {
    .name = "stochastic-convert",
    .meaning = "Conversion that rounds up with the probability of the discarded fraction.",
    .arity = Exactly(2),
    .types = kFloats,
    .shape_is_inferable = false,
};

}  // namespace assay
