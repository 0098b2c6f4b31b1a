// reciprocal: a quotient may be computed as a product with the reciprocal of the divisor, which is rounded before. The
// allowance of the division covers that rounding, unless the reciprocal is subnormal: as an operand it is flushed.
#include <algorithm>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/reals.h"

namespace assay {
namespace {

bool MayFlushReciprocal(const LeafFacts& leaf) {
  if (!leaf.instruction.is_quotient) return false;
  const Literal divisors = NumbersOf(leaf.instruction.reach[1]);
  return std::ranges::any_of(divisors.values<double>(), [&](double x) { return HasSubnormalReciprocal(leaf.type, x); });
}

bool FlushesNoReciprocal(const LeafFacts& leaf) { return !MayFlushReciprocal(leaf); }

Widening FlushedReciprocal(const ElementFacts& element, const Reals& lawful) {
  const LeafFacts& leaf = element.leaf;
  if (!leaf.instruction.is_quotient || lawful.IsEmpty() || lawful.ContainsZero()) return {lawful};
  const double divisor = NumberAt(leaf.instruction.reach[1], element.component);
  return HasSubnormalReciprocal(leaf.type, divisor) ? Widening{OrZero(lawful), true} : Widening{lawful};
}

}  // namespace

const FreedomRecord freedom_reciprocal = {
    .name = "reciprocal",
    .meaning = "a quotient may be a product with the rounded reciprocal of the divisor",
    .permits = &LawfulArithmetic::multiplies_by_reciprocals,
    .reason = "reciprocal",
    .noise = "flushed reciprocals",
    .widening = {.after_rounding = FlushedReciprocal,
                 .keeps_normal = FlushesNoReciprocal,
                 .may_open = MayFlushReciprocal,
                 .reads_reach = true},
};

}  // namespace assay
