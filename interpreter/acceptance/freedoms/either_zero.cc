// either_zero: an op that returns one of its operands may choose among zeros of different signs.
#include <algorithm>

#include "interpreter/acceptance/freedom.h"
#include "interpreter/acceptance/rule.h"
#include "interpreter/acceptance/sets/lawful_facts.h"

namespace assay {
namespace {

class EitherZero : public FreedomJudge {
 public:
  EitherZero(const JudgedInstruction& judged, AcceptanceRule&) : judged_(judged) {}

  ElementVerdict Judge(const Literal& want, const Literal& got, const Place& place) override {
    if (!IsInexactType(want.element_type()) || !IsOtherZero(want, got, place)) return {Verdict::kFail, ""};
    return {Verdict::kLegal, "tie"};
  }
  std::vector<std::string> Explain(const Literal& want, const Place&) override {
    if (!IsInexactType(want.element_type())) return {};
    return {std::string(freedom_either_zero.meaning)};
  }

 private:
  bool IsOtherZero(const Literal& want, const Literal& got, const Place& place) const {
    if (!DifferBySignOfZero(want, got, place.offset)) return false;
    // A computation of several instructions may choose among zeros that are no operand's.
    const auto is_composed = [](const HloComputation* called) { return FoldedOpOf(*called) == nullptr; };
    if (std::ranges::any_of(judged_.instruction.CalledComputations(), is_composed)) return true;
    // An element-wise result is the zero of an operand's element. The result of a fold is the zero of any element.
    const bool is_elementwise = IsElementwise(judged_, want.element_count());
    const std::uint64_t bits = ComponentAt(got, place.offset).bits;
    return std::ranges::any_of(judged_.operands, [&](const Literal& operand) {
      if (!operand.shape().IsArray() || operand.element_type() != want.element_type()) return false;
      if (is_elementwise) return ComponentAt(operand, operand.element_count() == 1 ? 0 : place.offset).bits == bits;
      for (std::int64_t i = 0; i < operand.element_count(); ++i) {
        if (ComponentAt(operand, i).bits == bits) return true;
      }
      return false;
    });
  }

  const JudgedInstruction& judged_;
};

bool MayHaveEitherZero(const LeafFacts& leaf) { return IsInexactType(leaf.type); }

// True if the zero may have either sign. That of a fold may be the zero of any term.
bool FreesEitherZero(const ElementFacts& element) {
  const InstructionFacts& instruction = element.leaf.instruction;
  return !instruction.is_elementwise || instruction.operand_facts.HaveOtherZero(element.leaf.value, element.component);
}

}  // namespace

const FreedomRecord freedom_either_zero = {
    .name = "either_zero",
    .meaning = "of two zeros either",
    .make = MakeFreedomJudge<EitherZero>,
    .noise = "other operand's zero",
    .widening = {.may_open = MayHaveEitherZero, .opens_moved = IsInexactType, .frees_sign_of_zero = FreesEitherZero},
};

}  // namespace assay
