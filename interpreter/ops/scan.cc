#include "interpreter/ops/record.h"

namespace assay {

const Op op_scan = {
    .name = "scan",
    .meaning = "A fold along one dimension that keeps each step.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Required("dimensions", AttributeKind::kInt64List), Required("num_carries", AttributeKind::kInt64),
                   Flag("is_reverse"), Optional("is_associative", AttributeKind::kBool),
                   Required("to_apply", AttributeKind::kComputation)},
    .shape_is_inferable = false,
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
