// not_finite: infinities and NaNs are unspecified.
#include <algorithm>
#include <cmath>
#include <optional>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/lawful_facts.h"

namespace assay {
namespace {

class NotFinite : public FreedomJudge {
 public:
  NotFinite(const JudgedInstruction& judged, AcceptanceRule& rule) : judged_(judged), rule_(rule) {}

  ElementVerdict Judge(const Literal& want, const Literal&, const Place& place) override {
    if (!IsOpen(want, place)) return {Verdict::kFail, ""};
    return {Verdict::kSpecGap, "the profile says nothing about numbers that are not finite"};
  }
  std::vector<std::string> Explain(const Literal& want, const Place& place) override {
    if (!IsOpen(want, place)) return {};
    return {"operands or the result are not finite: SPEC-GAP"};
  }

 private:
  bool IsOpen(const Literal& want, const Place& place) {
    return IsInexactType(want.element_type()) &&
           (!IsFiniteElement(want, place.offset) || HasOperandsThatAreNotFinite() || MayOverflow(want, place));
  }

  // True for a sum whose partial sums overflow in some order.
  bool MayOverflow(const Literal& want, const Place& place) {
    if (judged_.rule.acceptance != Acceptance::kSum) return false;
    const int parts = ComponentCount(want.element_type());
    for (int part = 0; part < parts; ++part) {
      const double exact = RealValue(ComponentAt(want, place.offset * parts + part));
      const Reals lawful = rule_.Widen(Reals::Point(exact), want, place, part);
      if (!std::isfinite(lawful.low) || !std::isfinite(lawful.high) || lawful.may_be_nan) return true;
    }
    return false;
  }

  bool HasOperandsThatAreNotFinite() {
    if (!has_operands_that_are_not_finite_) {
      has_operands_that_are_not_finite_ = !std::ranges::all_of(judged_.operands, IsFinite);
    }
    return *has_operands_that_are_not_finite_;
  }

  const JudgedInstruction& judged_;
  AcceptanceRule& rule_;
  std::optional<bool> has_operands_that_are_not_finite_;
};

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
    .make = MakeFreedomJudge<NotFinite>,
    .noise = "any number",
    .widening = {.after_rounding = AnythingUnlessFinite,
                 .keeps_normal = KeepsFinite,
                 .opens_moved = IsInexactType,
                 .finite_only = true,
                 .reads_reach = true,
                 .differs_between_uses = true},
};

}  // namespace assay
