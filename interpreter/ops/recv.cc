#include "interpreter/ops/record.h"

namespace assay {

const Op op_recv = {
    .name = "recv",
    .meaning = "The start of a transfer from another device or the host.",
    .arity = Exactly(1),
    .types = kTokens,
    .attributes = {Optional("channel_id", AttributeKind::kInt64), Flag("is_host_transfer")},
    .shape_is_inferable = false,
    .has_side_effect = true,
};

}  // namespace assay
