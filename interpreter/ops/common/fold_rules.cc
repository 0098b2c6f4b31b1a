#include "interpreter/ops/common/fold_rules.h"

#include "interpreter/ops/record.h"

namespace assay {
namespace {

bool IsSumOf(const HloInstruction& sum, const HloInstruction* accumulator, const HloInstruction* element) {
  const PrimitiveType type = sum.shape.element_type();
  if (sum.op != &op_add || !IsInexactType(type)) return false;
  if (accumulator->shape.element_type() != type || element->shape.element_type() != type) return false;
  return (sum.operands[0] == accumulator && sum.operands[1] == element) ||
         (sum.operands[0] == element && sum.operands[1] == accumulator);
}

}  // namespace

bool IsExactSum(const HloComputation& to_apply) {
  const HloInstruction& root = *to_apply.root;
  const auto parameters = to_apply.Parameters();
  if (root.op != &op_tuple) return parameters.size() == 2 && IsSumOf(root, parameters[0], parameters[1]);
  const std::size_t count = root.operands.size();
  if (parameters.size() != 2 * count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!IsSumOf(root.operand(i), parameters[i], parameters[count + i])) return false;
  }
  return true;
}

}  // namespace assay
