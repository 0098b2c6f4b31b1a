#include "interpreter/ops/record.h"

namespace assay {

const Op op_reshape = {
    .name = "reshape",
    .meaning = "The same elements in row-major order under other dimensions.",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {Integer("inferred_dimension", -1)},
    .shape_is_inferable = false,
    .keeps_scalars = true,
};

}  // namespace assay
