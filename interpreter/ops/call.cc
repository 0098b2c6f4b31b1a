#include "interpreter/ops/record.h"

namespace assay {

const Op op_call = {
    .name = "call",
    .meaning = "A computation applied to the operands.",
    .arity = AtLeast(0),
    .types = kAny,
    .attributes = {Required("to_apply", AttributeKind::kComputation), Flag("is_composite"), OutputToOperandAliasing()},
    .role = OpRole::kCall,
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
