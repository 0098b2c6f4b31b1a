#include "interpreter/acceptance/ops/common/integer_division.h"

#include <cstdint>

#include "interpreter/types/primitive_type.h"

namespace assay {

ElementTest OverflowOfIntegers(const HloInstruction& instruction, std::span<const Literal> operands, std::size_t) {
  const PrimitiveType type = instruction.shape.element_type();
  if (IsInexactType(type)) return nullptr;
  return [=](std::int64_t element) {
    const auto number = [=](const Literal& operand) {
      return operand.IntegerAt(operand.element_count() == 1 ? 0 : element);
    };
    const std::int64_t divisor = number(operands[1]);
    if (divisor == 0) return true;
    const std::int64_t least = std::int64_t{-1} << (BitWidth(type) - 1);
    return IsSignedIntegralType(type) && divisor == -1 && number(operands[0]) == least;
  };
}

}  // namespace assay
