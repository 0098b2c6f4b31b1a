#include "interpreter/ops/record.h"

namespace assay {

const Op op_outfeed = {
    .name = "outfeed",
    .meaning = "Data to the host.",
    .arity = Exactly(2),
    .types = kAny,
    .attributes = {Printed("outfeed_shape", AttributeKind::kShape, {}),
                   Optional("outfeed_config", AttributeKind::kString)},
    .shape_is_inferable = false,
    .has_side_effect = true,
};

}  // namespace assay
