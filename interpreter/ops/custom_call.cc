#include "interpreter/hlo/annotation_text.h"
#include "interpreter/hlo/custom_call_target.h"
#include "interpreter/ops/common/buffer_rules.h"
#include "interpreter/ops/common/call_rules.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/bounded_array.h"

namespace assay {
namespace {

// Rewrites to_apply, another spelling of one called computation.
Status NormalizeCustomCall(HloInstruction& call) {
  const auto* to_apply = call.Find<HloComputation*>("to_apply");
  if (to_apply == nullptr) return {};
  if (call.Has("called_computations")) {
    return Error{ErrorCode::kParse, "custom-call takes to_apply or called_computations, not both"};
  }
  call.Set("called_computations", std::vector<HloComputation*>{*to_apply});
  std::erase_if(call.attributes, [](const Attribute& attribute) { return attribute.name == "to_apply"; });
  return {};
}

// Returns the written shape.
Result<Shape> InferCustomCall(const HloInstruction& instruction) {
  if (const auto* layouts = instruction.Find<std::vector<Shape>>("operand_layout_constraints")) {
    if (layouts->size() != instruction.operands.size()) {
      return Illegal(instruction, "operand_layout_constraints must have one shape an operand: expected {}, found {}",
                     instruction.operands.size(), layouts->size());
    }
    for (std::size_t i = 0; i < layouts->size(); ++i) {
      ASSAY_CHECK_OK(CheckSameShape(instruction, fmt::format("operand_layout_constraints entry {}", i), (*layouts)[i],
                                    fmt::format("operand {}", i), instruction.operands[i]->shape));
    }
  }
  ASSAY_CHECK_OK(CheckBuffers(instruction));
  if (!IsPinOrUnpin(instruction) && !FrontendAttribute(instruction, "xla_skip_custom_call_alias_shape_check")) {
    ASSAY_CHECK_OK(CheckAliasing(instruction));
  }
  if (instruction.String("custom_call_target") == "GetRngSeed") {
    if (!instruction.operands.empty()) return Illegal(instruction, "GetRngSeed takes no operands");
    return ShapeUtil::MakeScalarShape(U64);
  }
  return instruction.shape;
}

Status CheckEvaluated(const HloInstruction& instruction) {
  ASSAY_TRY(const CustomCallTarget* target, FindCustomCallTarget(instruction));
  return target->check == nullptr ? Status() : target->check(instruction);
}

void RefuseRunTimeSizes(const HloInstruction& instruction, std::span<const Literal> operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!IsBelowItsBound(operands[i])) continue;
    throw EvaluationError{
        {ErrorCode::kUnsupported,
         fmt::format("custom-call: the target \"{}\" takes no operands of run-time sizes, found operand "
                     "{} of size {}",
                     instruction.String("custom_call_target"), i, RunTimeShape(operands[i]).ToStringWithoutLayout()),
         instruction.location}};
  }
}

Literal EvaluateCustomCall(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
  const CustomCallTarget& target = **FindCustomCallTarget(instruction);
  if (!target.sees_run_time_sizes) RefuseRunTimeSizes(instruction, operands);
  return target.evaluate(instruction, operands, evaluation);
}

}  // namespace

const Op op_custom_call = {
    .name = "custom-call",
    .meaning = "The result of its target: a built-in one or the user's.",
    .syntax =
        {
            .attributes = {Optional("window", AttributeKind::kWindow),
                           Optional("dim_labels", AttributeKind::kDimLabels),
                           Integer("feature_group_count", 1),
                           Integer("batch_group_count", 1),
                           OperandPrecision(),
                           OneOf("padding_type", "PADDING_INVALID",
                                 {"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"}),
                           Required("custom_call_target", AttributeKind::kString),
                           Optional("operand_layout_constraints", AttributeKind::kShapeList),
                           Flag("custom_call_has_side_effect"),
                           Optional("literal", AttributeKind::kLiteral),
                           OutputToOperandAliasing(),
                           OneOf("schedule", "SCHEDULE_NONE",
                                 {"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"}),
                           OneOf("api_version", "API_VERSION_ORIGINAL",
                                 {"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                                  "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"}),
                           ReadOnly("to_apply", AttributeKind::kComputation),
                           {.name = "called_computations",
                            .kind = AttributeKind::kComputationList,
                            .print = PrintRule::kIfNotDefault,
                            .default_value = std::vector<HloComputation*>()}},
            .shape_is_inferable = false,
            .normalize = NormalizeCustomCall,
        },
    .legality =
        {
            .arity = AtLeast(0),
            .types = kAny,
            .allows_mixed_precision = true,
            .accepts_buffers = true,
            .infer = InferCustomCall,
        },
    .evaluation =
        {
            .evaluate = EvaluateCustomCall,
            .check_evaluated = CheckEvaluated,
            .side_effect_flag = "custom_call_has_side_effect",
            .sees_run_time_sizes = true,
            .reads_backend_config = true,
        },
};

}  // namespace assay
