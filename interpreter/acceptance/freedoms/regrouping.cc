// regrouping: sums and products of several instructions may be grouped in another way. The freedom takes two
// instructions, so only sets through programs use it. The set of a sum holds the magnitudes and the number of all its
// terms; that of a product holds the number of its factors and the magnitudes of its partial products. A quotient that
// may be a product with a reciprocal is one. Instructions that move numbers, negate them or add zeros carry these on,
// and a product may be distributed over the terms of a sum, or a factor taken out of them.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/statistics/sums/sum_samples.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

using Ranges = std::shared_ptr<const OpenElements>;

// The ranges of magnitudes of an operand: `ranges` if there are any, else those of its own numbers.
class Magnitudes {
 public:
  Magnitudes(const Literal& value, const Ranges& ranges) : reader_(SetOf(value, ranges)) {}

  Reals At(std::int64_t i) const {
    const Reals x = reader_.At(i);
    if (x.IsEmpty()) return {0, INFINITY, false};
    const double low = std::fabs(x.low), high = std::fabs(x.high);
    return {x.ContainsZero() ? 0 : std::min(low, high), std::max(low, high), false};
  }

 private:
  static ValueSet SetOf(const Literal& value, const Ranges& ranges) {
    ValueSet set;
    set.value = value;
    set.open = ranges;
    return set;
  }

  ElementReader reader_;
};

Ranges RangesOf(const Literal& value, const auto& range_at) {
  ElementWriter writer(NumbersOf(value));
  for (std::int64_t i = 0; i < value.element_count(); ++i) writer.Set(i, range_at(i));
  return writer.Take();
}

Ranges TermsOf(const ValueSet& set) {
  if (set.terms == nullptr) return set.open;
  return RangesOf(set.value, [&](std::int64_t i) { return Reals::Point(set.terms->values<double>()[i]); });
}

Ranges FactorsOf(const ValueSet& set) { return set.factors ? set.factors : set.open; }

std::shared_ptr<const Literal> Totals(const Literal& value, const auto& total_at) {
  Literal totals(ShapeUtil::ChangeElementType(value.shape(), F64));
  auto to = totals.mutable_values<double>();
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = total_at(static_cast<std::int64_t>(i));
  return std::make_shared<const Literal>(std::move(totals));
}

// The number of terms of a product, as each of one operand meets each of the other one.
double TermsOfProduct(std::span<const ValueSet> operands) {
  return std::accumulate(operands.begin(), operands.end(), 1.0,
                         [](double count, const ValueSet& operand) { return count * operand.term_count; });
}

double MostOf(std::span<const ValueSet> operands, double ValueSet::*count) {
  return std::ranges::max(operands, {}, count).*count;
}

// Writes the partial products of all factors: any of one operand, of the other one, or of both. Zeros are not counted:
// a product by zero is zero in every order.
void CountFactorsOf(const InstructionFacts& instruction, ValueSet& leaf) {
  leaf.factor_count = instruction.factor_count;
  if (!instruction.is_elementwise) return;
  const auto& operands = instruction.operands;
  const Magnitudes a(operands[0].value, FactorsOf(operands[0])), b(operands[1].value, FactorsOf(operands[1]));
  leaf.factors = RangesOf(leaf.value, [&](std::int64_t i) {
    const Reals left = a.At(i), right = b.At(i);
    if (left.high == 0 || right.high == 0) return left.high == 0 ? right : left;
    // Divisors may be multiplied with each other, too.
    const Reals factor = instruction.is_quotient ? Reals{1 / right.high, 1 / right.low, false} : right;
    return Reals{std::min({left.low, right.low, factor.low, left.low * right.low, left.low * factor.low}),
                 std::max({left.high, right.high, factor.high, left.high * right.high, left.high * factor.high}),
                 false};
  });
}

// Copies the factors of products to which zeros are added: the parts of an array are put together in this way.
void KeepFactors(const InstructionFacts& instruction, ValueSet& leaf) {
  const auto& operands = instruction.operands;
  const Magnitudes a(operands[0].value, FactorsOf(operands[0])), b(operands[1].value, FactorsOf(operands[1]));
  bool keeps = false;
  leaf.factors = RangesOf(leaf.value, [&](std::int64_t i) {
    const Reals left = a.At(i), right = b.At(i);
    keeps |= left.high == 0 || right.high == 0;
    if (left.high == 0) return right;
    return right.high == 0 ? left : Reals{0, left.high + right.high, false};
  });
  if (keeps) leaf.factor_count = MostOf(operands, &ValueSet::factor_count);
}

void CountGroups(const InstructionFacts& instruction, ValueSet& leaf) {
  if (!IsFloatingPointType(leaf.value.element_type())) return;
  if (instruction.is_product || instruction.is_quotient) CountFactorsOf(instruction, leaf);
  if (instruction.is_sum && leaf.terms == nullptr) CountTerms(instruction, instruction.reach, 1, leaf);
  if (!instruction.acceptance.Has(Trait::kAddsTerms)) return;
  const auto& operands = instruction.operands;
  const Magnitudes a(operands[0].value, TermsOf(operands[0])), b(operands[1].value, TermsOf(operands[1]));
  leaf.terms = Totals(leaf.value, [&](std::int64_t i) { return a.At(i).high + b.At(i).high; });
  leaf.term_count = operands[0].term_count + operands[1].term_count;
  if (MostOf(operands, &ValueSet::factor_count) > 1) KeepFactors(instruction, leaf);
}

// Returns the magnitudes of a result whose operands have the ranges that `ranges_of` returns.
Magnitudes Carried(const InstructionFacts& instruction, SetEvaluation& evaluation, const Literal& value,
                   Ranges (*ranges_of)(const ValueSet&)) {
  std::vector<ValueSet> operands(instruction.operands.begin(), instruction.operands.end());
  for (ValueSet& operand : operands) operand.open = ranges_of(operand);
  return {value, instruction.acceptance.image(instruction.hlo, operands, value, evaluation)};
}

void CarryGroups(const InstructionFacts& instruction, SetEvaluation& evaluation, ValueSet& result) {
  const auto is_this = [](const OpenWidening& freedom) { return freedom.widening.carry == CarryGroups; };
  if (std::ranges::none_of(instruction.open, is_this) || !result.value.shape().IsArray()) return;
  if (!IsFloatingPointType(result.value.element_type())) return;
  const bool moves = KeepsTerms(instruction.hlo);
  const auto& operands = instruction.operands;
  const auto has_terms = [](const ValueSet& operand) { return operand.terms != nullptr; };
  const bool distributes = instruction.is_product && instruction.is_elementwise;
  if (std::ranges::any_of(operands, has_terms) && (moves || distributes)) {
    const Magnitudes terms = Carried(instruction, evaluation, result.value, TermsOf);
    result.terms = Totals(result.value, [&](std::int64_t i) { return terms.At(i).high; });
    result.term_count = distributes ? TermsOfProduct(operands) : MostOf(operands, &ValueSet::term_count);
  }
  if (moves && MostOf(operands, &ValueSet::factor_count) > 1) {
    const Magnitudes factors = Carried(instruction, evaluation, result.value, FactorsOf);
    result.factors = RangesOf(result.value, [&](std::int64_t i) { return factors.At(i); });
    result.factor_count = MostOf(operands, &ValueSet::factor_count);
  }
}

// The rule of a sum within one instruction has its own bound.
bool AddsSeveral(const LeafFacts& leaf) {
  return leaf.terms != nullptr && leaf.term_count > 2 && leaf.instruction.acceptance.Has(Trait::kAddsTerms);
}
bool MultipliesSeveral(const LeafFacts& leaf) {
  return leaf.instruction.factor_count > (leaf.instruction.is_quotient ? 3 : 2);
}

// True for a sum of two terms, of which one is a product: its factor may be the other term, or one of its factors.
bool MayTakeFactorOut(const LeafFacts& leaf) {
  return leaf.terms != nullptr && leaf.instruction.acceptance.Has(Trait::kAddsTerms) && !AddsSeveral(leaf) &&
         MostOf(leaf.instruction.operands, &ValueSet::factor_count) > 1;
}

bool MayRegroup(const LeafFacts& leaf) {
  return AddsSeveral(leaf) || MultipliesSeveral(leaf) || MayTakeFactorOut(leaf);
}
bool RegroupsNothing(const LeafFacts& leaf) { return !MayRegroup(leaf); }

// Widens a number by the bound of a sum in any order: n terms, and one more rounding.
Reals AddedInAnyOrder(const ElementFacts& element, const Reals& number) {
  const LeafFacts& leaf = element.leaf;
  const double reach = leaf.terms->values<double>()[element.component];
  const double allowance = (leaf.term_count + 1) * UnitRoundoff(leaf.part_type) * reach;
  if (reach + allowance >= LargestFinite(leaf.part_type)) return {};
  return {number.low - allowance, number.high + allowance, number.may_be_nan};
}

// Widens a number by the error of each multiplication, which is relative to its result, and by what a partial product
// that is subnormal loses, times the other factors. Nothing is known of a number if a partial product may overflow.
Reals MultipliedInAnyOrder(const ElementFacts& element, const Reals& number) {
  const PrimitiveType type = element.leaf.part_type;
  const double count = element.leaf.instruction.factor_count, slack = count * UnitRoundoff(type);
  double lost = 0;
  if (element.leaf.factors != nullptr) {
    const Reals partial = RealsAt(*element.leaf.factors, element.component, element.place.offset);
    if (partial.high * (1 + slack) >= LargestFinite(type)) return {};
    if (partial.low < LeastNormal(type)) lost = count * LeastNormal(type) * std::max(1.0, partial.high);
  }
  return {number.low - slack * std::fabs(number.low) - lost, number.high + slack * std::fabs(number.high) + lost,
          number.may_be_nan};
}

// Widens a number by the rounding of the sum that is multiplied, which is relative to the result.
Reals WithFactorOut(const ElementFacts& element, const Reals& number) {
  const PrimitiveType type = element.leaf.part_type;
  const double factor = element.leaf.factors == nullptr
                            ? 1.0
                            : RealsAt(*element.leaf.factors, element.component, element.place.offset).high;
  const double lost = LeastNormal(type) * std::max(1.0, factor), share = UnitRoundoff(type);
  return {number.low - share * std::fabs(number.low) - lost, number.high + share * std::fabs(number.high) + lost,
          number.may_be_nan};
}

Widening Regrouped(const ElementFacts& element, const Reals& number) {
  if (number.IsEmpty()) return {number};
  if (MayTakeFactorOut(element.leaf)) return {WithFactorOut(element, number), true};
  Widening result = {number};
  if (AddsSeveral(element.leaf)) result = {AddedInAnyOrder(element, result.reals), true};
  if (MultipliesSeveral(element.leaf)) result = {MultipliedInAnyOrder(element, result.reals), true};
  return result;
}

}  // namespace

const FreedomRecord freedom_regrouping = {
    .name = "regrouping",
    .meaning = "additions, or multiplications, of several instructions may be grouped in another way",
    .permits = &LawfulArithmetic::regroups_terms,
    .noise = "by the rule",
    .widening = {.before_rounding = Regrouped,
                 .keeps_normal = RegroupsNothing,
                 .may_open = MayRegroup,
                 .count = CountGroups,
                 .carry = CarryGroups,
                 .reads_reach = true,
                 .takes_several_instructions = true},
};

}  // namespace assay
