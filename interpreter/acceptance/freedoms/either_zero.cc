// either_zero: an op that returns one of its operands may choose among zeros of different signs.
#include <algorithm>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/sets/lawful_facts.h"

namespace assay {
namespace {

bool MayHaveEitherZero(const LeafFacts& leaf) { return IsInexactType(leaf.type); }

// True if the zero may have either sign: if an operand has the other zero at this place or, for a fold, anywhere. A
// computation of several instructions may choose among zeros that are no operand's.
bool FreesEitherZero(const ElementFacts& element) {
  const InstructionFacts& instruction = element.leaf.instruction;
  const OperandFacts& operands = instruction.operand_facts;
  if (instruction.is_elementwise) return operands.HaveOtherZero(element.leaf.value, element.component);
  const auto is_composed = [](const HloComputation* called) { return FoldedOpOf(*called) == nullptr; };
  return operands.HaveZero(!HasSign(ComponentAt(element.leaf.value, element.component))) ||
         std::ranges::any_of(instruction.hlo.CalledComputations(), is_composed);
}

}  // namespace

const FreedomRecord freedom_either_zero = {
    .name = "either_zero",
    .meaning = "of two zeros either",
    .reason = "tie",
    .noise = "other operand's zero",
    .widening = {.may_open = MayHaveEitherZero, .opens_moved = IsInexactType, .frees_sign_of_zero = FreesEitherZero},
};

}  // namespace assay
