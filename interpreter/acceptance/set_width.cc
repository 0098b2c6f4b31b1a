#include "interpreter/acceptance/set_width.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/lawful_facts.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/acceptance/reals.h"

namespace assay {
namespace {

// A set this many times wider than its operands' sets names its own instruction as the widest.
constexpr double kMuchWider = 8;

// Returns the largest of the numbers that the errors of a result are relative to: its own, and those that were added
// up, because they may cancel.
double ScaleOf(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value) {
  double scale = LargestValue(value);
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  const bool adds = acceptance.adds_terms || acceptance.rule == Acceptance::kCalled;
  for (const ValueSet& operand : operands) {
    const bool is_real =
        !operand.is_tuple && operand.value.shape().IsArray() && IsInexactType(operand.value.element_type());
    if (adds && is_real) scale = std::max(scale, LargestValue(operand.value));
  }
  return scale;
}

}  // namespace

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
  if (KeepsTerms(instruction) && before > 0) {  // moved
    set.width = before;
  } else {
    const double scale = IsInexactType(set.value.element_type()) ? ScaleOf(instruction, operands, set.value) : 1;
    set.width = scale > 0 ? LargestWidth(set) / scale : INFINITY;
  }
  if (!(set.width <= kMuchWider * before) || set.widest == nullptr) set.widest = &instruction;
}

}  // namespace assay
