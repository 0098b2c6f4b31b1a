// excess_precision: numbers narrower than f32 may stay wider between instructions, and a conversion to a floating-point
// type, of f64 to f32 too, may be elided. The freedom takes two instructions, so only sets through programs use it.
#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/program_sets.h"
#include "interpreter/acceptance/sets/reals.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

bool MayBeWider(PrimitiveType type) { return IsFloatingPointType(type) && BitWidth(type) < 32; }

// True for a conversion to a floating-point type. XLA's pass SimplifyFPConversions turns a chain of them into one.
bool IsConversion(const InstructionFacts& instruction) {
  return instruction.acceptance.Has(Trait::kConverts) && IsFloatingPointType(instruction.hlo.shape.element_type());
}

bool IsRoundedLater(const InstructionFacts& instruction, PrimitiveType type) {
  return instruction.rounds && (MayBeWider(type) || IsConversion(instruction));
}

bool MayKeepExcess(const LeafFacts& leaf) {
  return IsRoundedLater(leaf.instruction, leaf.type) || (MayBeWider(leaf.type) && leaf.image != nullptr);
}

bool KeepsNoExcess(const LeafFacts& leaf) { return !MayKeepExcess(leaf); }

// Returns the range of a moved result: it may be rounded after the move, whether or not it was before.
Reals Moved(const ElementFacts& element, const Reals& number) {
  return number.IsEmpty() ? number : Hull(number, Rounded(FloatFormatOf(element.leaf.part_type), number));
}

Reals Kept(const ElementFacts& element, const Reals& exact, const Reals& lawful) {
  const LeafFacts& leaf = element.leaf;
  Reals kept = Hull(lawful, exact);
  // A NaN that a format represents by a number is NaN in the wider type.
  kept.may_be_nan |= element.exact && std::isnan(*element.exact);
  // A number that stays wider is rounded to f32 or more: perhaps to the other side of the exact one.
  if (leaf.part_type != F64) kept = Hull(kept, Rounded(FloatFormatOf(F32), exact));
  // A value that overflows a format without infinities is finite in the wider type.
  const double beyond = element.exact && element.own.IsEmpty() ? *element.exact : NAN;
  const double roundoff = UnitRoundoff(leaf.part_type) * std::fabs(beyond);
  if (std::isfinite(beyond)) kept = Hull(kept, {beyond - roundoff, beyond + roundoff, true});
  // The final rounding to the element's own type may break a tie to the other side. A single operation on numbers of
  // that type, such as a conversion, has the same result with and without the first rounding (Figueroa 1995).
  const bool is_rounded_twice = element.is_open && !leaf.instruction.acceptance.Has(Trait::kRounds);
  return is_rounded_twice ? Hull(kept, Rounded(FloatFormatOf(leaf.part_type), kept)) : kept;
}

Widening KeptWider(const ElementFacts& element, const Reals& exact, const Reals& lawful) {
  if (element.is_moved) return {MayBeWider(element.leaf.type) ? Moved(element, lawful) : lawful};
  if (!IsRoundedLater(element.leaf.instruction, element.leaf.type)) return {lawful};
  const Reals kept = Kept(element, exact, lawful);
  return {kept, !Same(kept, lawful)};
}

// True for a conversion of a zero that has lost its sign in a format without -0, unless the rounding to it is omitted.
bool FreesLostSign(const ElementFacts& element) {
  const InstructionFacts& instruction = element.leaf.instruction;
  if (!IsConversion(instruction)) return false;
  const PrimitiveType from = instruction.hlo.operand(0).shape.element_type();
  return MayBeWider(from) && !FloatFormatOf(from).has_negative_zero;
}

}  // namespace

ValueSet SetOfUnrounded(Literal result, const Profile& profile, std::string_view op) {
  ValueSet set = ValueSet::Of(std::move(result));
  const PrimitiveType type = set.value.shape().IsArray() ? set.value.element_type() : TUPLE;
  if (!MayBeWider(type) || !profile.Allows(Freedom::kExcessPrecision, op)) return set;
  const ElementReader reader(set);
  ElementWriter writer(set.value);
  for (std::int64_t i = 0; i < set.value.element_count(); ++i) {
    const double x = reader.At(i).low;
    if (!std::isfinite(x)) continue;
    const double binade = x == 0 ? 0 : std::ldexp(1.0, std::ilogb(x));
    // XLA rounds to a format of 8 bits by way of f16.
    const double on_the_way = BitWidth(type) < 16 ? UnitRoundoff(F16) * binade : 0;
    const double half = std::max(UnitRoundoff(type) * binade, SmallestSubnormal(type) / 2) + on_the_way;
    writer.Set(i, {x - half, x + half, false});
  }
  set.open = writer.Take();
  set.freedoms |= BitOf(Freedom::kExcessPrecision);
  return set;
}

const FreedomRecord freedom_excess_precision = {
    .name = "excess_precision",
    .meaning = "results narrower than f32, and conversions, need not be rounded before the next instruction uses them",
    .noise = "wider numbers",
    .widening = {.at_rounding = KeptWider,
                 .keeps_normal = KeepsNoExcess,
                 .may_open = MayKeepExcess,
                 .opens_moved = MayBeWider,
                 .frees_sign_of_zero = FreesLostSign,
                 .elides = IsConversion,
                 .reads_exact = IsRoundedLater,
                 .takes_several_instructions = true},
};

}  // namespace assay
