#include "interpreter/ops/record.h"

namespace assay {

const Op op_topk = {
    .name = "topk",
    .meaning = "The k largest or smallest elements of the last dimension and their indices.",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {Required("k", AttributeKind::kInt64), Printed("largest", AttributeKind::kBool, true)},
    .shape_is_inferable = false,
};

}  // namespace assay
