#include <algorithm>
#include <array>
#include <cmath>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/legality.h"

namespace assay {
namespace {

Result<Shape> InferStochasticConvert(const HloInstruction& instruction) {
  ASSAY_TRY(Shape shape, InferConversion(instruction));
  const Shape& operand = instruction.operand(0).shape;
  const Shape& random = instruction.operand(1).shape;
  if (!IsUnsignedIntegralType(random.element_type()) ||
      BitWidth(random.element_type()) != BitWidth(operand.element_type())) {
    return IllegalOperands(instruction, "the random bits must be unsigned integers of the operand's width",
                           "one random number of equal width an element");
  }
  if (!ShapeUtil::SameDimensions(operand, random)) {
    return IllegalOperands(instruction, "operands must have equal dimensions", "no implicit broadcast");
  }
  if (!IsIntegralType(shape.element_type()) && !IsFloatingPointType(shape.element_type())) {
    return Illegal(instruction, "the result must be integral or float (rule: element types of the op), found {}",
                   shape.ToStringWithoutLayout());
  }
  return shape;
}

// The exponent of the last place that `to` has for a number of this magnitude.
int LastPlace(PrimitiveType to, double magnitude) {
  if (!IsFloatingPointType(to)) return 0;
  const FloatFormat& format = FloatFormatOf(to);
  return std::max(std::ilogb(magnitude), format.min_exponent()) - format.mantissa_bits;
}

// The magnitude is cut at the last place of the result; it grows by one there when the random number is below the part
// cut off, both as fixed-point fractions of `random_bits` bits (the rule of XLA's evaluator, which knows integers
// only).
double RoundStochastically(PrimitiveType to, double value, std::uint64_t random, int random_bits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int last_place = LastPlace(to, std::fabs(value));
  const double scaled = std::ldexp(std::fabs(value), -last_place);
  const double kept = std::floor(scaled);
  const auto fraction = static_cast<std::uint64_t>(std::ldexp(scaled - kept, random_bits));
  return std::copysign(std::ldexp(kept + (random < fraction), last_place), value);
}

Kernel StochasticConvertKernel(const HloInstruction& instruction) {
  const PrimitiveType from = instruction.operand(0).shape.element_type();
  const PrimitiveType random_type = instruction.operand(1).shape.element_type();
  const PrimitiveType to = instruction.shape.element_type();
  return [=](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      double value = 0;
      std::uint64_t random = 0;
      LoadReals(from, operands[0] + i * StorageBytes(from), &value, 1);
      LoadIntegers(random_type, operands[1] + i * StorageBytes(random_type), &random, 1);
      value = RoundStochastically(to, value, random, BitWidth(random_type));
      Convert(F64, reinterpret_cast<const std::byte*>(&value), to, result + i * StorageBytes(to), 1);
    }
  };
}

}  // namespace

const Op op_stochastic_convert = {
    .name = "stochastic-convert",
    .meaning = "Conversion that rounds up with the probability of the discarded fraction.",
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = Exactly(2), .types = kFloats, .infer = InferStochasticConvert},
    .evaluation = {.kernel = StochasticConvertKernel},
};

}  // namespace assay
