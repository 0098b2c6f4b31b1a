// excess_precision: numbers narrower than f32 may be kept wider from one instruction to the next, and a conversion to
// them be left out. It takes two instructions, so that sets through programs alone know it.
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/lawful_facts.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/reals.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

bool MayBeWider(PrimitiveType type) { return IsFloatingPointType(type) && BitWidth(type) < 32; }

bool ReadsExact(const InstructionFacts& instruction, PrimitiveType type) {
  return instruction.rounds && MayBeWider(type);
}

bool MayKeepExcess(const LeafFacts& leaf) {
  return MayBeWider(leaf.type) && (leaf.instruction.rounds || leaf.image != nullptr);
}

// A result that is moved may be rounded behind the move, whether or not it was before.
Reals Moved(const ElementFacts& element, const Reals& number) {
  return number.IsEmpty() ? number : Hull(number, Rounded(FloatFormatOf(element.leaf.part_type), number));
}

Reals Kept(const ElementFacts& element, const Reals& exact, const Reals& lawful) {
  const LeafFacts& leaf = element.leaf;
  // A number that is kept wider is rounded all the same, to f32 or more: perhaps to the other side of the exact one.
  Reals kept = Hull(Hull(lawful, exact), Rounded(FloatFormatOf(F32), exact));
  // An overflow in a format without infinities is a number there.
  const double beyond = element.exact && element.own.IsEmpty() ? *element.exact : NAN;
  const double roundoff = UnitRoundoff(leaf.part_type) * std::fabs(beyond);
  if (std::isfinite(beyond)) kept = Hull(kept, {beyond - roundoff, beyond + roundoff, true});
  // The number is rounded to its own type in the end: on a tie, to the other side. One operation on numbers of the type
  // itself gives the same number either way (Figueroa 1995), and a conversion is one.
  const bool is_rounded_twice = element.is_open && !leaf.instruction.acceptance.rounds;
  return is_rounded_twice ? Hull(kept, Rounded(FloatFormatOf(leaf.part_type), kept)) : kept;
}

Widening KeptWider(const ElementFacts& element, const Reals& exact, const Reals& lawful) {
  if (!MayBeWider(element.leaf.type)) return {lawful};
  if (element.is_moved) return {Moved(element, lawful)};
  if (!element.leaf.instruction.rounds) return {lawful};
  const Reals kept = Kept(element, exact, lawful);
  return {kept, !Same(kept, lawful)};
}

}  // namespace

const FreedomRecord freedom_excess_precision = {
    .name = "excess_precision",
    .meaning = "results narrower than f32 need not be rounded before the next instruction uses them",
    .noise = "wider numbers",
    .widening = {.at_rounding = KeptWider,
                 .may_open = MayKeepExcess,
                 .opens_moved = MayBeWider,
                 .reads_exact = ReadsExact,
                 .takes_several_instructions = true},
};

}  // namespace assay
