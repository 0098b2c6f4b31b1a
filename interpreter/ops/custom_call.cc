#include "interpreter/ops/record.h"

namespace assay {
namespace {

// to_apply is another spelling of one called computation.
Status Normalize(HloInstruction& call) {
  const auto* to_apply = call.Find<HloComputation*>("to_apply");
  if (to_apply == nullptr) return {};
  if (call.Has("called_computations")) {
    return Error{ErrorCode::kParse, "custom-call takes to_apply or called_computations, not both"};
  }
  call.Set("called_computations", std::vector<HloComputation*>{*to_apply});
  std::erase_if(call.attributes, [](const Attribute& attribute) { return attribute.name == "to_apply"; });
  return {};
}

}  // namespace

const Op op_custom_call = {
    .name = "custom-call",
    .meaning = "A target that the operation set does not define.",
    .arity = AtLeast(0),
    .types = kAny,
    .attributes = {Optional("window", AttributeKind::kWindow),
                   Optional("dim_labels", AttributeKind::kDimLabels),
                   Integer("feature_group_count", 1),
                   Integer("batch_group_count", 1),
                   OperandPrecision(),
                   OneOf("padding_type", "PADDING_INVALID", {"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"}),
                   Required("custom_call_target", AttributeKind::kString),
                   Optional("operand_layout_constraints", AttributeKind::kShapeList),
                   Flag("custom_call_has_side_effect"),
                   Optional("literal", AttributeKind::kLiteral),
                   OutputToOperandAliasing(),
                   OneOf("schedule", "SCHEDULE_NONE", {"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"}),
                   OneOf("api_version", "API_VERSION_ORIGINAL",
                         {"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                          "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"}),
                   ReadOnly("to_apply", AttributeKind::kComputation),
                   {.name = "called_computations",
                    .kind = AttributeKind::kComputationList,
                    .print = PrintRule::kIfNotDefault,
                    .default_value = std::vector<HloComputation*>()}},
    .shape_is_inferable = false,
    .normalize = Normalize,
    .acceptance = Acceptance::kUnspecified,
};

}  // namespace assay
