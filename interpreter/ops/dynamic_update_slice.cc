#include "interpreter/ops/record.h"

namespace assay {

const Op op_dynamic_update_slice = {
    .name = "dynamic-update-slice",
    .meaning = "The operand with a box replaced at run-time start indices, clamped into range.",
    .arity = AtLeast(2),
    .types = kArrays,
};

}  // namespace assay
