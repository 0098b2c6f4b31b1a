#include "interpreter/ops/record.h"

namespace assay {

const Op op_pad = {
    .name = "pad",
    .meaning = "The operand with edge and interior padding; negative edges cut.",
    .arity = Exactly(2),
    .types = kArrays,
    .attributes = {Required("padding", AttributeKind::kPadding)},
};

}  // namespace assay
