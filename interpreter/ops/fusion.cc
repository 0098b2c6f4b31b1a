#include "interpreter/ops/record.h"

namespace assay {

const Op op_fusion = {
    .name = "fusion",
    .meaning = "A computation that a compiler fused.",
    .arity = AtLeast(0),
    .types = kAny,
    .attributes = {OneOf("kind", {"kLoop", "kInput", "kOutput", "kCustom"}, /*required=*/true),
                   Optional("output_to_operand_aliasing", AttributeKind::kAliasing),
                   Required("calls", AttributeKind::kComputation)},
    .shape_is_inferable = false,
    .role = OpRole::kCall,
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
