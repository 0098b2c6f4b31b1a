#include "interpreter/acceptance/sets/exact_results.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

bool IsFunction(const LeafFacts& leaf) { return leaf.instruction.judged.rule.acceptance == Acceptance::kUlp; }

// True if a result of a function is so small or so large that it determines little of its value before rounding. The
// largest number may stand for any value beyond it, in a format without infinities.
bool HasFarResults(const LeafFacts& leaf) {
  if (!IsFunction(leaf) || !IsFloatingPointType(leaf.type)) return false;
  const double largest = LargestFinite(leaf.type), least = LeastNormal(leaf.type);
  return std::ranges::any_of(leaf.own, [=](double x) { return !(std::fabs(x) < largest) || std::fabs(x) <= least; });
}

bool IsResultInF64Read(const LeafFacts& leaf) {
  const bool is_product = leaf.instruction.is_product || IsComputedAsProduct(leaf.instruction.hlo);
  if ((leaf.unrounded != 0 && is_product) || HasFarResults(leaf)) return true;
  return std::ranges::any_of(leaf.instruction.open, [&](const OpenWidening& freedom) {
    const auto reads_exact = freedom.widening.reads_exact;
    return reads_exact != nullptr && reads_exact(leaf.instruction, leaf.type);
  });
}

// Returns the infinities of a function of f64 that lie far beyond the largest number, and NaN in place of all other
// results. They are those of operands that are infinities too if the operand is a thousandth nearer to zero.
std::optional<Literal> FarInfinities(const LeafFacts& leaf, const Place& place, SetEvaluation& evaluation) {
  const auto& operands = leaf.instruction.operands;
  const auto is_infinite = [](double x) { return std::isinf(x); };
  if (!IsFunction(leaf) || operands.size() != 1 || operands[0].is_tuple) return std::nullopt;
  if (operands[0].value.shape() != leaf.value.shape() || std::ranges::none_of(leaf.own, is_infinite)) {
    return std::nullopt;
  }
  Literal nearer = operands[0].value;
  for (double& x : nearer.mutable_values<double>()) x *= 1 - 0x1p-10;
  Literal results = evaluation.Evaluate(leaf.instruction.hlo, {std::move(nearer)});
  for (double& x : results.mutable_values<double>()) x = is_infinite(x) ? x : NAN;
  return place.LeafOf(results);
}

// Returns the range of a product of f64 that passes unrounded into a sum. A fused addition may bring a product that
// overflows back into range.
Reals UnroundedProduct(const ElementFacts& element) {
  const OperandFacts& operands = element.leaf.instruction.operand_facts;
  const double own = element.own.low;
  if (std::isfinite(own)) return operands.ProductBeforeRounding(element.component, own);
  return operands.HaveInfinity(element.place.offset) ? element.own : BeforeRounding(F64, own);
}

// Returns the value in f64, unless it does not round to the result: an op with intermediate roundings has another value
// in f64, which the bound of a sum does not cover. A result that is infinite in f64 is so in every type.
Reals FromF64(const ElementFacts& element) {
  const LeafFacts& leaf = element.leaf;
  const InstructionFacts& instruction = leaf.instruction;
  Reals exact = Reals::Point(*element.exact);
  if (exact.IsEmpty()) exact = element.own;
  const double own = element.own.low;
  if (std::isinf(own) && exact.low == own && exact.high == own) return exact;
  if (!Rounded(FloatFormatOf(leaf.part_type), exact).Contains(own)) {
    exact = instruction.is_exact ? element.own
            : instruction.is_sum ? Reals()
                                 : Hull(exact, BeforeRounding(leaf.part_type, own));
  }
  return instruction.is_exact ? exact : Outward(exact);
}

// True if an infinity comes from an operand rather than from an overflow, or lies far beyond the largest number. The
// rule of a sum decides this by the terms.
bool IsTrueInfinity(const ElementFacts& element) {
  const InstructionFacts& instruction = element.leaf.instruction;
  return std::isinf(element.own.low) &&
         (instruction.is_sum || instruction.operand_facts.HaveInfinity(element.place.offset) ||
          (element.leaf.type == F64 && element.exact == element.own.low));
}

bool IsTrueZero(const ElementFacts& element) {
  const bool is_zero = element.own.low == 0 && element.own.high == 0;
  return is_zero && IsFunction(element.leaf) && IsFloatingPointType(element.leaf.type) &&
         element.leaf.instruction.operand_facts.HaveExactZero(element.place.offset);
}

}  // namespace

std::optional<Literal> ResultInF64(const LeafFacts& leaf, const Place& place, SetEvaluation& evaluation) {
  if (leaf.type == F64) return FarInfinities(leaf, place, evaluation);
  if (!IsResultInF64Read(leaf)) return std::nullopt;
  std::vector<Literal> operands;
  for (const ValueSet& operand : leaf.instruction.operands) {
    if (operand.is_tuple || !operand.value.shape().IsArray()) return std::nullopt;
    operands.push_back(IsInexactType(operand.value.element_type()) ? NumbersOf(operand.value) : operand.value);
  }
  const std::optional<Literal> exact = evaluation.EvaluateInF64(leaf.instruction.hlo, std::move(operands));
  if (!exact) return std::nullopt;
  return place.LeafOf(*exact);
}

Reals ExactResultOf(const ElementFacts& element) {
  const LeafFacts& leaf = element.leaf;
  const InstructionFacts& instruction = leaf.instruction;
  if (element.is_open) return element.image;
  if (!IsInexactType(leaf.type)) return element.own;
  if (instruction.is_sum && instruction.rule->NeverRounds(leaf.value, element.place)) return element.own;
  if (element.own.IsEmpty()) return OverflowsToNan(element) ? Outward(Reals::Point(*element.exact)) : element.own;
  if (IsTrueZero(element)) return element.own;
  // The value in f64 of a dot of one product may be a rounded one: only its last rounding is undone.
  const bool is_one_product = leaf.unrounded != 0 && instruction.is_sum;
  if (leaf.unrounded != 0 && leaf.part_type == F64 && instruction.is_product) return UnroundedProduct(element);
  if (element.exact && leaf.type != F64 && !is_one_product) return FromF64(element);
  if (instruction.is_exact || IsTrueInfinity(element)) return element.own;
  return BeforeRounding(leaf.part_type, element.own.low);
}

bool OverflowsToNan(const ElementFacts& element) {
  const LeafFacts& leaf = element.leaf;
  return IsFunction(leaf) && !element.is_open && element.own.IsEmpty() && element.exact &&
         std::isfinite(*element.exact) && !FloatFormatOf(leaf.part_type).has_infinity;
}

}  // namespace assay
