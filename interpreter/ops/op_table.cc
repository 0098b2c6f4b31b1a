#include <algorithm>
#include <vector>

#include "interpreter/ops/record.h"

namespace assay {

AttributeSpec OutputToOperandAliasing() {
  return {.name = "output_to_operand_aliasing",
          .kind = AttributeKind::kAliasing,
          .print = PrintRule::kIfNotDefault,
          .default_value = std::vector<OutputOperandAlias>()};
}

AttributeSpec OperandPrecision() { return Optional("operand_precision", AttributeKind::kPrecision); }

AttributeSpec DotAlgorithm() {
  return OneOf(
      "algorithm", "unset",
      {"unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32",
       "dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6",
       "dot_bf16_bf16_f32_x9", "dot_tf32_tf32_f32", "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64"});
}

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
  const auto ops = AllOps();
  const auto it = std::ranges::lower_bound(ops, name, {}, &Op::name);
  return it != ops.end() && (*it)->name == name ? *it : nullptr;
}

const AttributeSpec* Op::FindAttribute(std::string_view attribute) const {
  for (const AttributeSpec& spec : attributes) {
    if (spec.name == attribute) return &spec;
  }
  return nullptr;
}

}  // namespace assay
