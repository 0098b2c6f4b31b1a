// flush: subnormal operands and results may count as the zero of their sign. A result is subnormal if its exact value
// is below the least normal number, even if it rounds to that: IEEE 754 (7.5) lets a processor detect tininess before
// or after rounding, and x86 does it after rounding to an unbounded exponent.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/reals.h"

namespace assay {
namespace {

// Adds NaN to a sum of products in which a flushed factor may meet an infinite one.
Widening NanBesideInfinity(const ElementFacts& element, const Reals& number) {
  Reals wide = number;
  if (!number.IsEmpty() && element.leaf.instruction.mixes_subnormals_and_infinities) wide.may_be_nan = true;
  return {wide};
}

// True if the instruction computes: instructions that only move numbers do not flush them.
bool FlushesResults(const LeafFacts& leaf) {
  const InstructionFacts& instruction = leaf.instruction;
  return IsInexactType(leaf.type) && MayBeFlushed(leaf.part_type) &&
         (instruction.is_elementwise || !instruction.is_exact);
}

bool MeetsNoInfinity(const LeafFacts& leaf) { return !leaf.instruction.mixes_subnormals_and_infinities; }

bool MayFlush(const LeafFacts& leaf) {
  return FlushesResults(leaf) && (leaf.image != nullptr || HasSubnormals(leaf.value));
}

// True if a result that may be the least normal number is no smaller before rounding. Only products, functions and
// conversions to narrower types round tiny results: those of sums and moves are exact.
bool IsNormal(const ElementFacts& element) {
  const InstructionFacts& instruction = element.leaf.instruction;
  if (element.is_open) return false;
  if (element.exact) return std::fabs(*element.exact) >= LeastNormal(element.leaf.part_type);
  if (instruction.acceptance.Has(Trait::kConverts)) return instruction.acceptance.forms.gives_operand(instruction.hlo);
  const bool is_function = instruction.acceptance.rule == Acceptance::kUlp;
  return instruction.is_exact && !instruction.is_product && !is_function;
}

// Adds zero to results that may be flushed. A result that rounds up to the least normal number was subnormal before.
Widening WithZero(const ElementFacts& element, const Reals& lawful) {
  constexpr double kNormal = 0x1p-13;  // in every format that is flushed
  if (lawful.low > kNormal || lawful.high < -kNormal) return {lawful};
  if (lawful.IsEmpty() || lawful.ContainsZero() || !FlushesResults(element.leaf)) return {lawful};
  const double least = LeastNormal(element.leaf.part_type);
  const double smallest = std::min(std::fabs(lawful.low), std::fabs(lawful.high));
  if (smallest > least || (smallest == least && lawful.low == lawful.high && IsNormal(element))) return {lawful};
  return {OrZero(lawful), true};
}

// Widens a number by the zero that it may count as when it is an operand.
Reals AsOperand(const Reals& number, double least_normal) {
  return std::min(std::fabs(number.low), std::fabs(number.high)) < least_normal ? OrZero(number) : number;
}

// True if no end of an element is subnormal.
bool AreNormal(const ValueSet& set, double least) {
  const auto is_normal = [=](double low, double high) {
    return !(low > 0 && low < least) && !(high < 0 && high > -least);
  };
  if (set.open != nullptr)
    return std::ranges::equal(ComponentsIn(set.open->low), ComponentsIn(set.open->high), is_normal);
  return AllBlocks(set.value, [&](std::span<const double> numbers) {
    return std::ranges::all_of(numbers, [&](double x) { return is_normal(x, x); });
  });
}

// Adds the zeros. An array that is updated part by part is read whole once.
void FlushOperand(const HloInstruction&, ValueSet& operand) {
  if (operand.is_flushed || operand.is_tuple || !operand.value.shape().IsArray()) return;
  operand.is_flushed = true;
  if (!IsInexactType(operand.value.element_type())) return;
  const PrimitiveType type = ComplexComponentType(operand.value.element_type());
  if (!MayBeFlushed(type)) return;
  const double least = LeastNormal(type);
  if (AreNormal(operand, least)) return;
  const ElementReader reader(operand);
  const int parts = ComponentCount(operand.value.element_type());
  const std::int64_t count = operand.value.element_count() * parts;
  std::vector<bool> is_flushed(operand.value.element_count());
  for (std::int64_t i = 0; i < count; ++i) {
    const Reals number = reader.At(i);
    if (!Same(AsOperand(number, least), number)) is_flushed[i / parts] = true;
  }
  ElementWriter writer(operand.value);
  for (std::int64_t i = 0; i < count; ++i) {
    if (is_flushed[i / parts] || reader.IsOpen(i / parts)) writer.Set(i, AsOperand(reader.At(i), least));
  }
  operand.open = writer.Take();
  operand.freedoms |= BitOf(Freedom::kFlush);
}

}  // namespace

const FreedomRecord freedom_flush = {
    .name = "flush",
    .meaning = "subnormal operands and results may count as the zero of their sign",
    .permits = &LawfulArithmetic::flushes_subnormals,
    .reason = "flush",
    .read_operand = [](const Literal& operand) { return WithSubnormalsFlushed(operand); },
    .noise = "zero for subnormal",
    .widening = {.before_rounding = NanBesideInfinity,
                 .after_rounding = WithZero,
                 .keeps_normal = MeetsNoInfinity,
                 .may_open = MayFlush,
                 .widen_operand = FlushOperand,
                 .differs_between_uses = true},
};

}  // namespace assay
