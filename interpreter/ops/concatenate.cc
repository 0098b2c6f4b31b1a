#include "interpreter/ops/record.h"

namespace assay {

const Op op_concatenate = {
    .name = "concatenate",
    .meaning = "Operands joined along one dimension.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Required("dimensions", AttributeKind::kInt64List)},
};

}  // namespace assay
