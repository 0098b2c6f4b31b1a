#include "interpreter/ops/record.h"

namespace assay {

const Op op_custom_call = {
    .name = "custom-call",
    .meaning = "A target that the operation set does not define.",
    .arity = AtLeast(0),
    .types = kAny,
    .attributes = {Optional("window", AttributeKind::kWindow), Optional("dim_labels", AttributeKind::kDimLabels),
                   Integer("feature_group_count", 1), Integer("batch_group_count", 1), OperandPrecision(),
                   OneOf("padding_type", "PADDING_INVALID", {"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"}),
                   Required("custom_call_target", AttributeKind::kString),
                   Optional("operand_layout_constraints", AttributeKind::kShapeList),
                   Flag("custom_call_has_side_effect"), Optional("literal", AttributeKind::kLiteral),
                   Optional("output_to_operand_aliasing", AttributeKind::kAliasing),
                   OneOf("schedule", "SCHEDULE_NONE", {"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"}),
                   OneOf("api_version", "API_VERSION_ORIGINAL",
                         {"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                          "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"}),
                   ReadOnly("to_apply", AttributeKind::kComputation),
                   Optional("called_computations", AttributeKind::kComputationList)},
    .shape_is_inferable = false,
    .acceptance = Acceptance::kUnspecified,
};

}  // namespace assay
