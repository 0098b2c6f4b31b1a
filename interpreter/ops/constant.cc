#include "interpreter/ops/record.h"

namespace assay {

const Op op_constant = {
    .name = "constant",
    .meaning = "A literal.",
    .arity = Exactly(0),
    .types = kAny,
    .shape_is_inferable = false,
    .role = OpRole::kConstant,
};

}  // namespace assay
