// zero_sign: the sign of a zero argument or result is not significant.
#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/sets/lawful_facts.h"

namespace assay {
namespace {

bool MayFreeSign(const LeafFacts& leaf) { return IsInexactType(leaf.type); }
bool FreesSignOfZero(const ElementFacts&) { return true; }

}  // namespace

const FreedomRecord freedom_zero_sign = {
    .name = "zero_sign",
    .meaning = "a zero may have either sign",
    .permits = &LawfulArithmetic::ignores_zero_sign,
    .reason = "sign of zero",
    .read_operand = WithPositiveZeros,
    .noise = "sign of zero",
    .widening = {.may_open = MayFreeSign, .opens_moved = IsInexactType, .frees_sign_of_zero = FreesSignOfZero},
};

}  // namespace assay
