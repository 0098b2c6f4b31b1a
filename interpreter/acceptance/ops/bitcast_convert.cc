#include <cmath>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Returns the bits of a number that is not negative: those of the next number of the type on one side.
double BitsBeside(PrimitiveType type, double number, bool is_upper) {
  const FloatFormat& format = FloatFormatOf(type);
  const std::uint64_t bits = RoundDouble(format, number);
  const double rounded = ToDouble(format, bits);
  const int step = is_upper && rounded < number ? 1 : !is_upper && rounded > number ? -1 : 0;
  return static_cast<double>(bits) + step;
}

// Numbers of one sign have the order of their bits, or the opposite one. Bits of other sets, and of numbers of
// 64 bits, may be any.
Reals Bits(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType from = instruction.operand(0).shape.element_type(), to = instruction.shape.element_type();
  const Reals any = AnyOf(to);
  const bool is_number = IsFloatingPointType(from) && IsIntegralType(to),
             is_bits = IsIntegralType(from) && IsFloatingPointType(to);
  const int width = BitWidth(from);
  if (is_number == is_bits || width != BitWidth(to) || width < 16 || width > 32 || x[0].may_be_nan) return any;
  const double sign_bit = std::ldexp(1.0, width - 1), offset = any.low < 0 ? -sign_bit : sign_bit;
  if (is_number && x[0].low > 0) return {BitsBeside(from, x[0].low, false), BitsBeside(from, x[0].high, true), false};
  if (is_number && x[0].high < 0) {
    return {offset + BitsBeside(from, -x[0].high, false), offset + BitsBeside(from, -x[0].low, true), false};
  }
  if (is_number) return any;
  // The bits of integers of one sign, without that sign.
  const double least = IsUnsignedIntegralType(from) ? sign_bit : -sign_bit;
  const bool is_negative = IsUnsignedIntegralType(from) ? x[0].low >= sign_bit : x[0].high < 0;
  const bool is_positive = IsUnsignedIntegralType(from) ? x[0].high < sign_bit : x[0].low >= 0;
  if (!is_negative && !is_positive) return any;
  const auto number = [&](double integer) {
    return ToDouble(FloatFormatOf(to), static_cast<std::uint64_t>(integer - (is_negative ? least : 0)));
  };
  const double low = number(x[0].low), high = number(x[0].high);
  if (std::isnan(low) || std::isnan(high) || low == 0) return any;
  return is_negative ? Reals{-high, -low, false} : Reals{low, high, false};
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
