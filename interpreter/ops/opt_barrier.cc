#include "interpreter/ops/record.h"

namespace assay {

const Op op_opt_barrier = {
    .name = "opt-barrier",
    .meaning = "The operand; no optimisation may cross.",
    .arity = Exactly(1),
    .types = kAny,
    .keeps_scalars = true,
};

}  // namespace assay
