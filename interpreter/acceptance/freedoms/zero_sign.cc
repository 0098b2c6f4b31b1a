// zero_sign: a zero may have either sign.
#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/lawful_facts.h"

namespace assay {
namespace {

class ZeroSign : public FreedomJudge {
 public:
  ZeroSign(const JudgedInstruction&, AcceptanceRule&) {}

  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) override {
    if (!IsInexactType(want.element_type()) || !DifferBySignOfZero(want, got, place.offset))
      return {Verdict::kFail, ""};
    return {Verdict::kLegal, "sign of zero"};
  }
  std::vector<std::string> Explain(const Literal& want, const Place&) override {
    if (!IsInexactType(want.element_type())) return {};
    return {std::string(freedom_zero_sign.meaning)};
  }
};

bool MayFreeSign(const LeafFacts& leaf) { return IsInexactType(leaf.type); }
bool FreesSignOfZero(const ElementFacts&) { return true; }

}  // namespace

const FreedomRecord freedom_zero_sign = {
    .name = "zero_sign",
    .meaning = "a zero may have either sign",
    .make = MakeFreedomJudge<ZeroSign>,
    .noise = "sign of zero",
    .widening = {.may_open = MayFreeSign, .opens_moved = IsInexactType, .frees_sign_of_zero = FreesSignOfZero},
};

}  // namespace assay
