#include "interpreter/ops/record.h"

namespace assay {

const Op op_fusion = {
    .name = "fusion",
    .meaning = "A computation that a compiler fused.",
    .arity = AtLeast(0),
    .types = kAny,
    .attributes = {OneOf("kind", {"kLoop", "kInput", "kOutput", "kCustom"}, /*required=*/true),
                   OutputToOperandAliasing(), Required("calls", AttributeKind::kComputation)},
    .shape_is_inferable = false,
    .role = OpRole::kCall,
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
