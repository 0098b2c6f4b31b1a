#include "interpreter/ops/common/scan_rules.h"

#include <algorithm>

#include "interpreter/ops/record.h"

namespace assay {

bool IsCumulativeSum(const HloInstruction& scan) {
  const HloInstruction& root = *scan.Computation("to_apply").root;
  const bool has_one_carry = scan.operands.size() == 2 && scan.Int64("num_carries") == 1 && root.operands.size() == 2;
  if (!scan.Bool("is_associative") || !has_one_carry || root.op != &op_tuple) return false;
  const PrimitiveType type = scan.operand(0).shape.element_type();
  if (scan.operand(1).shape.element_type() != type) return false;
  const auto adds_parameters = [](const HloInstruction* sum) {
    return sum->op == &op_add && sum->operands[0] != sum->operands[1] && sum->operand(0).op == &op_parameter &&
           sum->operand(1).op == &op_parameter;
  };
  return IsInexactType(type) && std::ranges::all_of(root.operands, adds_parameters);
}

}  // namespace assay
