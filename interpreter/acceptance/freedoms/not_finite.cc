// not_finite: infinities and NaNs are unspecified.
#include <cmath>

#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/sets/lawful_facts.h"

namespace assay {
namespace {

bool KeepsFinite(const LeafFacts&) { return true; }

// Opens a result that may not be finite. A rounding may overflow although the reference's result is finite.
Widening AnythingUnlessFinite(const ElementFacts& element, const Reals& lawful) {
  const bool is_finite = std::isfinite(lawful.low) && std::isfinite(lawful.high) && !lawful.may_be_nan;
  if (is_finite || element.is_moved) return {lawful};
  return {Reals(), true};
}

}  // namespace

const FreedomRecord freedom_not_finite = {
    .name = "not_finite",
    .meaning = "nothing is said about infinities and NaNs",
    .permits = &LawfulArithmetic::assumes_finite,
    .reason = "the profile says nothing about numbers that are not finite",
    .noise = "any number",
    .widening = {.after_rounding = AnythingUnlessFinite,
                 .keeps_normal = KeepsFinite,
                 .opens_moved = IsInexactType,
                 .finite_only = true,
                 .reads_reach = true,
                 .differs_between_uses = true},
};

}  // namespace assay
