#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

ElementSet BothParts(const HloInstruction&, std::span<const ValueSet> operands, const Literal& value, SetEvaluation&) {
  const ElementReader real(operands[0]), imaginary(operands[1]);
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (!real.IsOpen(i) && !imaginary.IsOpen(i)) continue;
    writer.Set(2 * i, real.At(i));
    writer.Set(2 * i + 1, imaginary.At(i));
  }
  return writer.Take();
}

}  // namespace

const OpAcceptance acceptance_complex = {.op = &op_complex, .image = BothParts, .traits = Trait::kKeepsTerms};

}  // namespace assay
