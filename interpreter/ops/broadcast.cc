#include "interpreter/ops/record.h"

namespace assay {

const Op op_broadcast = {
    .name = "broadcast",
    .meaning = "The operand repeated along new dimensions.",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {Printed("dimensions", AttributeKind::kInt64List, Int64List{})},
    .shape_is_inferable = false,
    .keeps_scalars = true,
};

}  // namespace assay
