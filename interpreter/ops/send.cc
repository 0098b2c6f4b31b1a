#include "interpreter/ops/record.h"

namespace assay {

const Op op_send = {
    .name = "send",
    .meaning = "The start of a transfer to another device or the host.",
    .arity = Exactly(2),
    .types = kAny,
    .attributes = {Optional("channel_id", AttributeKind::kInt64), Flag("is_host_transfer")},
    .shape_is_inferable = false,
    .has_side_effect = true,
};

}  // namespace assay
