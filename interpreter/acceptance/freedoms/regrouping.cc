// regrouping: sums and products of several instructions may be grouped in another way. The freedom takes two
// instructions, so only sets through programs use it. The set of a sum holds the magnitudes and the number of all its
// terms; that of a product holds the number of its factors.
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

void CountTerms(const InstructionFacts& instruction, ValueSet& leaf) {
  if (instruction.is_product && IsFloatingPointType(leaf.value.element_type())) {
    leaf.factor_count = instruction.factor_count;
  }
  const bool adds = instruction.acceptance.Has(Trait::kAddsTerms) && IsFloatingPointType(leaf.value.element_type());
  if (!adds) return;
  Literal total(ShapeUtil::ChangeElementType(leaf.value.shape(), F64));
  auto sums = total.mutable_values<double>();
  leaf.term_count = 0;
  for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
    const ValueSet& operand = instruction.operands[k];
    leaf.term_count += operand.term_count;
    const Literal reach = operand.terms ? *operand.terms : NumbersOf(instruction.reach[k]);
    const bool is_single = reach.element_count() == 1;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += std::fabs(reach.values<double>()[is_single ? 0 : i]);
  }
  leaf.terms = std::make_shared<const Literal>(std::move(total));
}

bool AddsSeveral(const LeafFacts& leaf) { return leaf.terms != nullptr && leaf.term_count > 2; }
bool MultipliesSeveral(const LeafFacts& leaf) { return leaf.instruction.factor_count > 2; }

bool RegroupsNothing(const LeafFacts& leaf) { return !AddsSeveral(leaf) && !MultipliesSeveral(leaf); }
bool MayRegroup(const LeafFacts& leaf) { return AddsSeveral(leaf) || MultipliesSeveral(leaf); }

// Widens a number by the bound of a sum in any order: n terms, and one more rounding.
Reals AddedInAnyOrder(const ElementFacts& element, const Reals& number) {
  const LeafFacts& leaf = element.leaf;
  const double reach = leaf.terms->values<double>()[element.component];
  const double allowance = (leaf.term_count + 1) * UnitRoundoff(leaf.part_type) * reach;
  if (reach + allowance >= LargestFinite(leaf.part_type)) return {};
  return {number.low - allowance, number.high + allowance, number.may_be_nan};
}

// Widens a number by the error of each multiplication, which is relative to its result.
Reals MultipliedInAnyOrder(const ElementFacts& element, const Reals& number) {
  const double slack = element.leaf.instruction.factor_count * UnitRoundoff(element.leaf.part_type);
  return {number.low - slack * std::fabs(number.low), number.high + slack * std::fabs(number.high), number.may_be_nan};
}

Widening Regrouped(const ElementFacts& element, const Reals& number) {
  if (number.IsEmpty()) return {number};
  Widening result = {number};
  if (AddsSeveral(element.leaf)) result = {AddedInAnyOrder(element, result.reals), true};
  if (MultipliesSeveral(element.leaf)) result = {MultipliedInAnyOrder(element, result.reals), true};
  return result;
}

}  // namespace

const FreedomRecord freedom_regrouping = {
    .name = "regrouping",
    .meaning = "additions, or multiplications, of several instructions may be grouped in another way",
    .noise = "by the rule",
    .widening = {.before_rounding = Regrouped,
                 .keeps_normal = RegroupsNothing,
                 .may_open = MayRegroup,
                 .count = CountTerms,
                 .reads_reach = true,
                 .takes_several_instructions = true},
};

}  // namespace assay
