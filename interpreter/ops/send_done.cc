#include "interpreter/ops/record.h"

namespace assay {

const Op op_send_done = {
    .name = "send-done",
    .meaning = "The end of a send.",
    .arity = Exactly(1),
    .types = kTuples,
    .attributes = {Optional("channel_id", AttributeKind::kInt64), Flag("is_host_transfer")},
    .shape_is_inferable = false,
    .has_side_effect = true,
};

}  // namespace assay
