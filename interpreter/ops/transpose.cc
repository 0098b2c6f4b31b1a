#include "interpreter/ops/record.h"

namespace assay {

const Op op_transpose = {
    .name = "transpose",
    .meaning = "Dimensions permuted: result dimension i is operand dimension dimensions[i].",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {Required("dimensions", AttributeKind::kInt64List)},
    .keeps_scalars = true,
};

}  // namespace assay
