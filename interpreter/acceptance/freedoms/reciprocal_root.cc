// reciprocal_root: a quotient by a square root may be computed as a product with the reciprocal root, a function of its
// own. XLA rewrites x / sqrt(y) to x * rsqrt(y) on every backend. Its authors mean to keep this for f32 and narrower
// types, and call it a bug in f64. The freedom takes two instructions, so only sets through programs use it.
#include <cmath>

#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/profile.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// Returns the reciprocal root by which a compiler may multiply; null if it may not.
const Op* FactorOf(const LeafFacts& leaf) {
  const auto multiplies_by = leaf.instruction.acceptance.forms.multiplies_by;
  if (multiplies_by == nullptr || !IsFloatingPointType(leaf.type) || BitWidth(leaf.type) > 32) return nullptr;
  return multiplies_by(leaf.instruction.hlo);
}

bool HasNoReciprocalRoot(const LeafFacts& leaf) { return FactorOf(leaf) == nullptr; }
bool MayMultiply(const LeafFacts& leaf) { return FactorOf(leaf) != nullptr; }

// Widens a quotient x / y. If the reciprocal root is k units in the last place off, which is 2 k u at most, and both it
// and the product are rounded, x * rsqrt is within (2 k + 2) u of the exact result; y was rounded once.
Widening Multiplied(const ElementFacts& element, const Reals& number) {
  const Op* const factor = FactorOf(element.leaf);
  if (factor == nullptr || number.IsEmpty()) return {number};
  const double k = element.leaf.instruction.judged.profile.AllowanceOf(factor->name, element.leaf.type).ulp;
  const double share = (2 * k + 4) * UnitRoundoff(element.leaf.part_type);
  const auto slack = [=](double end) { return std::isinf(end) ? 0 : share * std::fabs(end); };
  return {{number.low - slack(number.low), number.high + slack(number.high), number.may_be_nan}, true};
}

}  // namespace

const FreedomRecord freedom_reciprocal_root = {
    .name = "reciprocal_root",
    .meaning = "a quotient by a square root may be a product with the reciprocal root, of up to 32 bits",
    .noise = "reciprocal roots",
    .widening = {.before_rounding = Multiplied,
                 .keeps_normal = HasNoReciprocalRoot,
                 .may_open = MayMultiply,
                 .takes_several_instructions = true},
};

}  // namespace assay
