#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/element_wise.h"

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

// Returns the exponent of the last place that `to` has for a number of this magnitude.
int LastPlace(PrimitiveType to, double magnitude) {
  if (!IsFloatingPointType(to)) return 0;
  const FloatFormat& format = FloatFormatOf(to);
  return std::max(std::ilogb(magnitude), format.min_exponent()) - format.mantissa_bits;
}

// Truncates the magnitude at the last place of the result, and adds one there if the random number is below the
// truncated part. Both are fixed-point fractions of `random_bits` bits (the rule of XLA's evaluator, which supports
// integers only).
double RoundStochastically(PrimitiveType to, double value, std::uint64_t random, int random_bits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int last_place = LastPlace(to, std::fabs(value));
  const double scaled = std::ldexp(std::fabs(value), -last_place);
  const double kept = std::floor(scaled);
  const auto fraction = static_cast<std::uint64_t>(std::ldexp(scaled - kept, random_bits));
  return std::copysign(std::ldexp(kept + (random < fraction), last_place), value);
}

Kernel StochasticConvert(const HloInstruction& convert) {
  return plain::ElementByElement(convert, [to = convert.shape.element_type()](const plain::Row& row) {
    const double value = ToDouble(FloatFormatOf(row[0].type), plain::BitsOf(row[0]));
    const double rounded = RoundStochastically(to, value, plain::BitsOf(row[1]), BitWidth(row[1].type));
    return plain::ConvertedTo(to, plain::WithBits(F64, std::bit_cast<std::uint64_t>(rounded)));
  });
}

}  // namespace

const Op op_stochastic_convert = {
    .name = "stochastic-convert",
    .meaning = "Conversion that rounds up with the probability of the discarded fraction.",
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = Exactly(2), .types = kFloats, .infer = InferStochasticConvert},
    .evaluation = {.kernel = StochasticConvert},
};

}  // namespace assay
