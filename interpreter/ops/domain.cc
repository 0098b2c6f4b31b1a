#include "interpreter/ops/dynamic_sizes.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_domain = {
    .name = "domain",
    .meaning = "The operand, at the border of a sharding domain.",
    .arity = Exactly(1),
    .types = kAny,
    .attributes = {Required("domain", AttributeKind::kDomain)},
    .keeps_scalars = true,
    .allows_mixed_precision = true,
    .forwards_operands = true,
    .sees_run_time_sizes = true,
    .infer = InferOperand,
    .evaluate = EvaluateOperand,
};

}  // namespace assay
