#include "interpreter/ops/common/plain_comparator.h"

#include "interpreter/ops/record.h"

namespace assay {

std::optional<PlainComparator> PlainComparatorOf(const HloComputation& comparator) {
  const HloInstruction& root = *comparator.root;
  if (root.op != &op_compare) return std::nullopt;
  return PlainComparatorOf(root, root.operand(0), root.operand(1));
}

std::optional<PlainComparator> PlainComparatorOf(const HloInstruction& compare, const HloInstruction& lhs,
                                                 const HloInstruction& rhs) {
  if (compare.Has("order")) return std::nullopt;
  if (lhs.op->role != OpRole::kParameter || rhs.op->role != OpRole::kParameter) return std::nullopt;
  if (lhs.parameter_number / 2 != rhs.parameter_number / 2 || &lhs == &rhs) return std::nullopt;
  if (lhs.shape.element_type() != rhs.shape.element_type()) return std::nullopt;
  const std::string_view direction = compare.String("direction");
  if (direction != "LT" && direction != "GT") return std::nullopt;
  const bool swapped = lhs.parameter_number > rhs.parameter_number;
  return PlainComparator{static_cast<std::size_t>(lhs.parameter_number), (direction == "GT") != swapped,
                         compare.String("type") == "TOTALORDER"};
}

}  // namespace assay
