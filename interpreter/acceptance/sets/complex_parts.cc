#include "interpreter/acceptance/sets/complex_parts.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/hlo/op.h"

namespace assay {

Reals LawfulPart(const ElementFacts& element, const Reals& exact) {
  const JudgedInstruction& judged = element.leaf.instruction.judged;
  const LawfulArithmetic& arithmetic = judged.arithmetic;
  const OpAcceptance& acceptance = AcceptanceOf(judged.instruction);
  const bool may_be_regrouped = (acceptance.folded == Acceptance::kProduct && arithmetic.regroups_terms) ||
                                (acceptance.Has(Trait::kDivides) && arithmetic.multiplies_by_reciprocals);
  if (judged.rule.acceptance != Acceptance::kUlp || judged.rule.tolerance || judged.rule.highest || may_be_regrouped)
    return {};
  double largest = 0;
  for (const std::int64_t component : {element.component, element.component ^ 1}) {
    const Reals part = RealsAt(*element.leaf.image, component, element.place.offset);
    if (part.IsEmpty()) return {};
    largest = std::max({largest, std::fabs(part.low), std::fabs(part.high)});
  }
  const PrimitiveType type = element.leaf.part_type;
  const double unit = 2 * UnitRoundoff(type) * largest;
  if (!(4 * largest < LargestFinite(type)) || unit < 4 * LeastNormal(type)) return {};
  // Half a unit for the rounding of the exact value, as for decided operands.
  const double allowance = (judged.rule.allowance.ulp + 0.5) * unit;
  return {exact.low - allowance, exact.high + allowance, exact.may_be_nan};
}

}  // namespace assay
