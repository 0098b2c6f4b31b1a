#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

ElementSet SecondParts(const HloInstruction&, std::span<const ValueSet> operands, const Literal& value,
                       SetEvaluation&) {
  if (!IsComplexType(operands[0].value.element_type())) return nullptr;
  const ElementReader reader(operands[0]);
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (reader.IsOpen(i)) writer.Set(i, reader.At(2 * i + 1));
  }
  return writer.Take();
}

// The imaginary part of a real number is zero.
bool IsZeroAnyway(const HloInstruction& instruction, std::size_t) {
  return !IsComplexType(instruction.operand(0).shape.element_type());
}

}  // namespace

const OpAcceptance acceptance_imag = {
    .op = &op_imag, .is_unread = IsZeroAnyway, .image = SecondParts, .traits = Trait::kKeepsTerms};

}  // namespace assay
