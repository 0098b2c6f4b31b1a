#include "interpreter/ops/record.h"

namespace assay {

const Op op_infeed = {
    .name = "infeed",
    .meaning = "Data from the host.",
    .arity = Exactly(1),
    .types = kTokens,
    .attributes = {Optional("infeed_config", AttributeKind::kString)},
    .shape_is_inferable = false,
    .has_side_effect = true,
};

}  // namespace assay
