#include "interpreter/acceptance/sets/set_width.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/sets/lawful_facts.h"
#include "interpreter/acceptance/sets/reals.h"

namespace assay {
namespace {

// A set this many times wider than its operands' sets names its own instruction as the widest.
constexpr double kMuchWider = 8;

// Returns the largest of the numbers that the errors of a result are relative to: its own, and those that were added
// up, because they may cancel.
double ScaleOfResult(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value) {
  double scale = LargestValue(value);
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  const bool adds = acceptance.Has(Trait::kAddsTerms) || acceptance.rule == Acceptance::kCalled;
  for (const ValueSet& operand : operands) {
    const bool is_real =
        !operand.is_tuple && operand.value.shape().IsArray() && IsInexactType(operand.value.element_type());
    if (adds && is_real) scale = std::max(scale, LargestValue(operand.value));
  }
  return scale;
}

// True if an open operand chooses among the elements of the others.
bool IsOpenChoice(const HloInstruction& instruction, std::span<const ValueSet> operands) {
  const std::uint32_t selectors = AcceptanceOf(instruction).selectors;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if ((selectors >> std::min<std::size_t>(i, 31) & 1) != 0 && operands[i].open != nullptr) return true;
  }
  return false;
}

// Returns the number to which the widths of the operands, and so that of a choice among their elements, are relative.
double ScaleOfChoice(std::span<const ValueSet> operands, const ValueSet& set) {
  double scale = ScaleOf(ValueSet::Of(set.value));
  for (const ValueSet& operand : operands) {
    if (operand.open && IsInexactType(operand.value.element_type())) scale = std::max(scale, ScaleOf(operand));
  }
  return scale;
}

void SetWidth(double scale, ValueSet& set) { set.width = scale > 0 ? LargestWidth(set) / scale : INFINITY; }

}  // namespace

double ScaleOf(const ValueSet& set) {
  const double scale = IsInexactType(set.value.element_type()) ? LargestValue(set.value) : 0;
  return set.open && set.width > 0 ? std::max(scale, LargestWidth(set) / set.width) : scale;
}

void FindWidth(const HloInstruction& instruction, std::span<const ValueSet> operands, ValueSet& set) {
  if (set.is_tuple) {
    for (ValueSet& element : set.elements) FindWidth(instruction, operands, element);
    return;
  }
  if (!set.open) return;
  double before = 0;
  for (const ValueSet& operand : operands) {
    if (operand.width >= before && operand.widest != nullptr) set.widest = operand.widest;
    before = std::max(before, operand.width);
  }
  const bool is_real = IsInexactType(set.value.element_type());
  if (IsOpenChoice(instruction, operands)) {
    set.freedoms |= kUndecidedBit;
    SetWidth(is_real ? ScaleOfChoice(operands, set) : 1, set);
  } else if (KeepsTerms(instruction) && before > 0) {  // moved
    set.width = before;
  } else {
    SetWidth(is_real ? ScaleOfResult(instruction, operands, set.value) : 1, set);
  }
  if (!(set.width <= kMuchWider * before) || set.widest == nullptr) set.widest = &instruction;
}

void FindWidthOfChoices(const HloInstruction& instruction, std::span<const ValueSet> operands, ValueSet& set) {
  const bool has_own_operands = operands.size() == set.elements.size();
  for (std::size_t i = 0; i < set.elements.size(); ++i) {
    FindWidthOfChoices(instruction, has_own_operands ? operands.subspan(i, 1) : operands, set.elements[i]);
  }
  if (!set.open || set.widest != &instruction) return;
  set.freedoms |= kUndecidedBit;
  SetWidth(IsInexactType(set.value.element_type()) ? ScaleOfChoice(operands, set) : 1, set);
}

}  // namespace assay
