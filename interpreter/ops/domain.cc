#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_domain = {
    .name = "domain",
    .meaning = "The operand, at the border of a sharding domain.",
    .syntax = {.attributes = {Required("domain", AttributeKind::kDomain)}},
    .legality =
        {
            .arity = Exactly(1),
            .types = kAny,
            .allows_mixed_precision = true,
            .forwards_operands = true,
            .infer = InferOperand,
        },
    .evaluation = {.evaluate = EvaluateOperand, .keeps_scalars = true, .sees_run_time_sizes = true},
};

}  // namespace assay
