#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Returns every number of the type: the bits of an open number may be any.
Reals Bits(const HloInstruction& instruction, std::span<const Reals>) {
  return AnyOf(instruction.shape.element_type());
}

ElementSet ImageOfBitcastConvert(const HloInstruction& instruction, std::span<const ValueSet> operands,
                                 const Literal& value, SetEvaluation&) {
  if (operands[0].value.element_count() != value.element_count()) return Anything(value, &instruction).open;
  return MapElements(instruction, operands, value, Bits);
}

}  // namespace

const OpAcceptance acceptance_bitcast_convert = {
    .op = &op_bitcast_convert, .image = ImageOfBitcastConvert, .traits = Trait::kKeepsBits};

}  // namespace assay
