#include <algorithm>
#include <unordered_map>
#include <vector>

#include "interpreter/ops/record.h"

namespace assay {

AttributeSpec Required(AttributeName name, AttributeKind kind) {
  return {.name = name, .kind = kind, .required = true};
}

AttributeSpec Optional(AttributeName name, AttributeKind kind) { return {.name = name, .kind = kind}; }

AttributeSpec Flag(AttributeName name) {
  return {.name = name, .kind = AttributeKind::kBool, .print = PrintRule::kIfNotDefault, .default_value = false};
}

AttributeSpec Integer(AttributeName name, std::int64_t if_absent) {
  return {.name = name, .kind = AttributeKind::kInt64, .print = PrintRule::kIfNotDefault, .default_value = if_absent};
}

AttributeSpec OneOf(AttributeName name, std::initializer_list<std::string_view> enumerators, bool required) {
  return {.name = name, .kind = AttributeKind::kEnum, .required = required, .enumerators = enumerators};
}

AttributeSpec OneOf(AttributeName name, std::string_view if_absent,
                    std::initializer_list<std::string_view> enumerators) {
  return {.name = name,
          .kind = AttributeKind::kEnum,
          .print = PrintRule::kIfNotDefault,
          .default_value = std::string(if_absent),
          .enumerators = enumerators};
}

AttributeSpec Printed(AttributeName name, AttributeKind kind, AttributeValue if_absent) {
  return {.name = name, .kind = kind, .print = PrintRule::kAlways, .default_value = std::move(if_absent)};
}

AttributeSpec ReadOnly(AttributeName name, AttributeKind kind, std::initializer_list<std::string_view> enumerators) {
  return {.name = name, .kind = kind, .print = PrintRule::kNever, .enumerators = enumerators};
}

AttributeSpec OneDimension(AttributeName name, bool required) {
  return {.name = name, .kind = AttributeKind::kInt64List, .required = required, .length = 1};
}

AttributeSpec DimensionList(AttributeName name) {
  return {
      .name = name, .kind = AttributeKind::kInt64List, .print = PrintRule::kIfNotDefault, .default_value = Int64List()};
}

AttributeSpec OutputToOperandAliasing() {
  return {.name = "output_to_operand_aliasing",
          .kind = AttributeKind::kAliasing,
          .print = PrintRule::kIfNotDefault,
          .default_value = std::vector<OutputOperandAlias>()};
}

AttributeSpec DotAlgorithm() {
  return OneOf(
      "algorithm", "unset",
      {"unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32",
       "dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6",
       "dot_bf16_bf16_f32_x9", "dot_tf32_tf32_f32", "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64"});
}

AttributeSpec OperandPrecision() { return Optional("operand_precision", AttributeKind::kPrecision); }

std::span<const Op* const> AllOps() {
  static const std::vector<const Op*> ops = [] {
    std::vector<const Op*> all = {
#define ASSAY_OP(name) &op_##name,
#include "interpreter/ops/op_list.inc"
#undef ASSAY_OP
    };
    std::ranges::sort(all, {}, &Op::name);
    return all;
  }();
  return ops;
}

const Op* FindOp(std::string_view name) {
  static const std::unordered_map<std::string_view, const Op*> ops = [] {
    std::unordered_map<std::string_view, const Op*> by_name;
    for (const Op* op : AllOps()) by_name.emplace(op->name, op);
    return by_name;
  }();
  const auto found = ops.find(name);
  return found == ops.end() ? nullptr : found->second;
}

}  // namespace assay
