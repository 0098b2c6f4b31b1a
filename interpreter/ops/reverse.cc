#include "interpreter/ops/record.h"

namespace assay {

const Op op_reverse = {
    .name = "reverse",
    .meaning = "Elements in reverse order along the listed dimensions.",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {Required("dimensions", AttributeKind::kInt64List)},
    .keeps_scalars = true,
};

}  // namespace assay
