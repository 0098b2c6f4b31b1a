#include <cmath>
#include <string_view>

#include "interpreter/acceptance/ops/common/sorted_sets.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/plain_comparator.h"

namespace assay {
namespace {

RowOrder RowOrderOf(const HloInstruction& sort) {
  return {sort.Int64s("dimensions")[0], sort.Bool("is_stable"), &sort.Computation("to_apply")};
}

// Returns x of select(compare(x, y), number, other) with this direction if `is_number` holds for the constant; null for
// any other instruction.
const HloInstruction* Replaced(const HloInstruction& select, std::string_view direction, bool (*is_number)(double)) {
  if (select.op != &op_select || select.operand(0).op != &op_compare || !select.operand(1).literal) return nullptr;
  const HloInstruction& compare = select.operand(0);
  const Literal& constant = *select.operand(1).literal;
  if (compare.String("direction") != direction || !IsFloatingPointType(constant.element_type())) return nullptr;
  double number = 0;
  LoadReals(constant.element_type(), constant.data(), &number, 1);
  const HloInstruction& other = direction == "NE" ? compare.operand(0) : select.operand(1);
  return is_number(number) && &compare.operand(1) == &other ? compare.operands[0] : nullptr;
}

// Returns x of select(x != x, nan, select(x == 0, 0, x)), by which JAX makes zeros and NaNs equal; null for others.
const HloInstruction* WithoutCanonicalForm(const HloInstruction& key) {
  const HloInstruction* x = Replaced(key, "NE", [](double number) { return std::isnan(number); });
  if (x == nullptr) return nullptr;
  const HloInstruction& number = key.operand(2);
  const bool has_zero = Replaced(number, "EQ", [](double zero) { return zero == 0 && !std::signbit(zero); }) == x &&
                        number.operands[2] == x;
  return has_zero ? x : nullptr;
}

std::optional<SortKey> KeyOf(const HloComputation& comparator) {
  const auto key_by = [](const std::optional<PlainComparator>& plain, bool has_equal_zeros) -> std::optional<SortKey> {
    if (!plain) return std::nullopt;
    return SortKey{plain->parameter / 2, plain->descending, plain->total_order, has_equal_zeros || !plain->total_order};
  };
  const HloInstruction& root = *comparator.root;
  if (root.op != &op_compare) return std::nullopt;
  const HloInstruction *lhs = WithoutCanonicalForm(root.operand(0)), *rhs = WithoutCanonicalForm(root.operand(1));
  const bool is_canonical = lhs != nullptr && rhs != nullptr && root.String("type") == "TOTALORDER";
  return is_canonical ? key_by(PlainComparatorOf(root, *lhs, *rhs), true)
                      : key_by(PlainComparatorOf(comparator), false);
}

ValueSet WalkSort(const HloInstruction& sort, std::span<const ValueSet> operands, SetEvaluation& evaluation) {
  return SortedSets(sort, KeyOf(sort.Computation("to_apply")), operands, evaluation);
}

}  // namespace

const OpAcceptance acceptance_sort = {
    .op = &op_sort, .rule = Acceptance::kUnordered, .facts = RowOrderOf, .walk = WalkSort};

}  // namespace assay
