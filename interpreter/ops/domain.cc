#include "interpreter/ops/record.h"

namespace assay {

const Op op_domain = {
    .name = "domain",
    .meaning = "The operand, at the border of a sharding domain.",
    .arity = Exactly(1),
    .types = kAny,
    .attributes = {Required("domain", AttributeKind::kDomain)},
};

}  // namespace assay
