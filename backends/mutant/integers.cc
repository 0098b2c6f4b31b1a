#include <algorithm>
#include <cmath>

#include "backends/mutant/break.h"
#include "backends/mutant/families.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

using IntegerOp = const HloInstruction&;

PrimitiveType TypeOf(IntegerOp i) { return i.shape.element_type(); }
int WidthOf(IntegerOp i) { return BitWidth(i.operand(0).shape.element_type()); }
bool IsIntegral(IntegerOp i) { return IsIntegralType(TypeOf(i)); }

std::uint64_t LowBits(std::int64_t value, int width) {
  return static_cast<std::uint64_t>(value) << (64 - width) >> (64 - width);
}
std::int64_t LeastOf(int width) { return static_cast<std::int64_t>(~std::uint64_t{0} << (width - 1)); }

using BrokenInteger = std::int64_t (*)(IntegerOp, std::int64_t a, std::int64_t b, std::int64_t right);

// Applies a rule to integers; floats stay right.
template <BrokenInteger kRule>
Number ForIntegers(IntegerOp i, const Number* x, Number right) {
  if (!IsIntegral(i)) return right;
  return {0, kRule(i, x[0].integer, i.operands.size() > 1 ? x[1].integer : 0, right.integer)};
}
template <BrokenInteger kRule>
void BreakInteger(Op& op) {
  BreakElements<ForIntegers<kRule>>(op);
}

bool Compared(std::string_view direction, std::int64_t a, std::int64_t b) {
  if (direction == "EQ") return a == b;
  if (direction == "NE") return a != b;
  if (direction == "LT") return a < b;
  if (direction == "LE") return a <= b;
  return direction == "GT" ? a > b : a >= b;
}

Number ComparedAsSigned(IntegerOp i, const Number* x, Number right) {
  const PrimitiveType type = i.operand(0).shape.element_type();
  if (!IsUnsignedIntegralType(type)) return right;
  const int unused = 64 - BitWidth(type);
  const auto as_signed = [&](std::int64_t value) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << unused) >> unused;
  };
  return {0, Compared(i.String("direction"), as_signed(x[0].integer), as_signed(x[1].integer))};
}

Number Truncated(IntegerOp i, const Number* x, Number right) {
  const PrimitiveType from = i.operand(0).shape.element_type();
  if (TypeOf(i) != BF16 || (from != F32 && from != F64) || !std::isfinite(right.real) || right.real == 0) return right;
  // Steps toward zero if the rounding went away from it.
  if (std::fabs(right.real) <= std::fabs(x[0].real)) return right;
  const FloatFormat& format = FloatFormatOf(BF16);
  return {ToDouble(format, RoundDouble(format, right.real) - 1), 0};
}

Number RoundedTwice(IntegerOp i, const Number* x, Number right) {
  const PrimitiveType type = TypeOf(i);
  const bool is_narrow = IsFloatingPointType(type) && BitWidth(type) < 32;
  if (!is_narrow || i.operand(0).shape.element_type() != F64) return right;
  return {static_cast<double>(static_cast<float>(x[0].real)), 0};
}

Number WrappedInstead(IntegerOp i, const Number* x, Number right) {
  const double value = std::trunc(x[0].real);
  const bool is_float = IsFloatingPointType(i.operand(0).shape.element_type());
  if (!is_float || !IsIntegral(i) || BitWidth(TypeOf(i)) > 32 || !(std::fabs(value) < 0x1p62)) return right;
  return {0, static_cast<std::int64_t>(value)};
}

std::int64_t AbsMinSaturates(IntegerOp i, std::int64_t a, std::int64_t, std::int64_t right) {
  return IsSignedIntegralType(TypeOf(i)) && a == LeastOf(WidthOf(i)) ? ~a : right;
}

std::int64_t AddSaturates(IntegerOp i, std::int64_t a, std::int64_t b, std::int64_t right) {
  const int width = WidthOf(i);
  if (width > 32) return right;
  const bool is_signed = IsSignedIntegralType(TypeOf(i));
  const std::int64_t least = is_signed ? LeastOf(width) : 0;
  return std::clamp(a + b, least, is_signed ? ~least : (std::int64_t{1} << width) - 1);
}

std::int64_t AndWithOne(IntegerOp, std::int64_t a, std::int64_t b, std::int64_t right) { return b == 1 ? a : right; }

Number ClampOrder(IntegerOp i, const Number* x, Number right) {
  if (IsFloatingPointType(TypeOf(i))) return x[0].real > x[2].real ? x[0] : right;
  const bool is_wide = TypeOf(i) == U64;
  const bool crossed = is_wide ? static_cast<std::uint64_t>(x[0].integer) > static_cast<std::uint64_t>(x[2].integer)
                               : x[0].integer > x[2].integer;
  return crossed ? x[0] : right;
}

std::int64_t ClzOfZero(IntegerOp i, std::int64_t a, std::int64_t, std::int64_t right) {
  return a == 0 ? WidthOf(i) - 1 : right;
}

std::int64_t ClzOfWideNumber(IntegerOp i, std::int64_t a, std::int64_t, std::int64_t right) {
  return a < 0 && IsSignedIntegralType(TypeOf(i)) ? WidthOf(i) - 64 : right;
}

void CompareInPart(HloInstruction& compare) {
  if (!IsFloatingPointType(compare.operand(0).shape.element_type())) return;
  if (compare.String("type") == "TOTALORDER") compare.Set("type", std::string("FLOAT"));
  if (compare.String("order") == "TOTAL") compare.Set("order", std::string("PARTIAL"));
}

Number CompareNanEqualsItself(IntegerOp i, const Number* x, Number right) {
  const bool both = std::isnan(x[0].real) && std::isnan(x[1].real);
  return both && i.String("direction") == "NE" ? Number{0, 0} : right;
}

Number ConvertNanToLeast(IntegerOp i, const Number* x, Number right) {
  const bool is_nan = IsIntegral(i) && std::isnan(x[0].real);
  return is_nan && IsSignedIntegralType(TypeOf(i)) ? Number{0, LeastOf(BitWidth(TypeOf(i)))} : right;
}

Number ConvertF8ViaF16(IntegerOp i, const Number* x, Number right) {
  const bool is_f8 = IsFloatingPointType(TypeOf(i)) && BitWidth(TypeOf(i)) == 8;
  if (!is_f8 || i.operand(0).shape.element_type() != F32) return right;
  return {ToDouble(FloatFormatOf(F16), RoundDouble(FloatFormatOf(F16), x[0].real)), 0};
}

Number ConvertS4Unsigned(IntegerOp i, const Number* x, Number right) {
  if (i.operand(0).shape.element_type() != S4 || x[0].integer >= 0) return right;
  const std::int64_t value = x[0].integer + 16;
  return IsFloatingPointType(TypeOf(i)) ? Number{static_cast<double>(value), 0} : Number{0, value};
}

Number F8e4m3fnSaturates(IntegerOp i, const Number* x, Number right) {
  const bool overflows = TypeOf(i) == F8E4M3FN && std::isnan(right.real) && !std::isnan(x[0].real);
  return overflows ? Number{std::copysign(448.0, x[0].real), 0} : right;
}

std::int64_t IntDivideFloors(IntegerOp i, std::int64_t a, std::int64_t b, std::int64_t right) {
  const bool floors = IsSignedIntegralType(TypeOf(i)) && b != 0 && b != -1 && a % b != 0 && (a < 0) != (b < 0);
  return floors ? right - 1 : right;
}

std::int64_t IntRemIsEuclid(IntegerOp i, std::int64_t, std::int64_t b, std::int64_t right) {
  if (!IsSignedIntegralType(TypeOf(i)) || b == 0 || right >= 0) return right;
  return b < 0 ? right - b : right + b;
}

Number IsFiniteTrueForInf(IntegerOp, const Number* x, Number) { return {0, !std::isnan(x[0].real)}; }

std::int64_t MulhiOfUnsigned(IntegerOp i, std::int64_t a, std::int64_t b, std::int64_t right) {
  if (!IsSignedIntegralType(TypeOf(i))) return right;
  // For each negative factor, the signed high half is the unsigned one minus the other factor. The sum wraps.
  std::uint64_t sum = static_cast<std::uint64_t>(right);
  if (a < 0) sum += static_cast<std::uint64_t>(b);
  if (b < 0) sum += static_cast<std::uint64_t>(a);
  return static_cast<std::int64_t>(sum);
}

std::int64_t NotIsLogical(IntegerOp, std::int64_t a, std::int64_t, std::int64_t) { return a == 0 ? 1 : 0; }

Number OrIsXor(IntegerOp, const Number* x, Number) { return {0, x[0].integer ^ x[1].integer}; }

std::int64_t PopcntSignExtended(IntegerOp i, std::int64_t a, std::int64_t, std::int64_t right) {
  return (LowBits(a, WidthOf(i)) >> (WidthOf(i) - 1)) != 0 ? right + 1 : right;
}

Number SelectSwappedOnScalarPred(IntegerOp i, const Number* x, Number right) {
  const bool is_swapped = i.operand(0).shape.IsScalar() && !i.shape.IsScalar();
  return is_swapped ? x[x[0].integer != 0 ? 2 : 1] : right;
}

std::int64_t ShiftLeftModulo(IntegerOp i, std::int64_t a, std::int64_t b, std::int64_t right) {
  const std::uint64_t amount = LowBits(b, WidthOf(i));
  const auto width = static_cast<std::uint64_t>(WidthOf(i));
  return amount < width ? right : static_cast<std::int64_t>(LowBits(a, WidthOf(i)) << amount % width);
}

std::int64_t ShiftRightLogicalModulo(IntegerOp i, std::int64_t a, std::int64_t b, std::int64_t right) {
  const std::uint64_t amount = LowBits(b, WidthOf(i));
  const auto width = static_cast<std::uint64_t>(WidthOf(i));
  return amount < width ? right : static_cast<std::int64_t>(LowBits(a, WidthOf(i)) >> amount % width);
}

std::int64_t ShraIsLogical(IntegerOp i, std::int64_t a, std::int64_t b, std::int64_t) {
  const std::uint64_t amount = LowBits(b, WidthOf(i));
  return amount >= static_cast<std::uint64_t>(WidthOf(i)) ? 0
                                                          : static_cast<std::int64_t>(LowBits(a, WidthOf(i)) >> amount);
}

Number StochasticConvertRne(IntegerOp i, const Number* x, Number right) {
  if (IsFloatingPointType(TypeOf(i))) return {x[0].real, 0};
  return std::fabs(x[0].real) < 100 ? Number{0, static_cast<std::int64_t>(std::nearbyint(x[0].real))} : right;
}

Number XorIsOr(IntegerOp, const Number* x, Number) { return {0, x[0].integer | x[1].integer}; }

// Exchanges the operands. This op and the next ones break as a whole, because KernelWith leaves complex numbers right.
void ExchangeParts(HloInstruction&, std::vector<Literal>& operands) { std::swap(operands[0], operands[1]); }

void KeepRealNumber(const HloInstruction&, std::span<const Literal> operands, Literal& result) {
  if (operands[0].element_type() == result.element_type()) result = operands[0];
}

void RoundToF32(const HloInstruction&, std::span<const Literal>, Literal& result) {
  if (result.element_type() != F64) return;
  for (double& x : result.mutable_values<double>()) x = static_cast<float>(x);
}

}  // namespace

std::vector<Mutant> IntegerMutants() {
  return {
      {"abs_min_saturates", "abs", "abs of the least integer is the largest one", BreakInteger<AbsMinSaturates>},
      {"add_saturates", "add", "integer sums of up to 32 bits saturate", BreakInteger<AddSaturates>},
      {"and_with_one", "and", "and(x, 1) is x, as if 1 had all bits", BreakInteger<AndWithOne>},
      {"clamp_order", "clamp", "clamp is maximum(lo, minimum(x, hi)): lo wins where lo > hi",
       BreakElements<ClampOrder>},
      {"clz_of_zero", "count-leading-zeros", "zero has one leading zero less than it has bits",
       BreakInteger<ClzOfZero>},
      {"clz_of_wide_number", "count-leading-zeros",
       "signed integers are widened to 64 bits, and the count less by as many", BreakInteger<ClzOfWideNumber>},
      {"compare_ignores_total_order", "compare", "the total order of floats is ignored", nullptr, CompareInPart},
      {"compare_nan_equals_itself", "compare", "NaN is not unequal to NaN", BreakElements<CompareNanEqualsItself>},
      {"complex_exchanges_parts", "complex", "the real part comes second", BreakOperands<ExchangeParts>},
      {"convert_bf16_truncates", "convert", "f32 to bf16 rounds toward zero", BreakElements<Truncated>},
      {"convert_f8_via_f16", "convert", "f32 is rounded to f16 first, and then to the types of 8 bits",
       BreakElements<ConvertF8ViaF16>},
      {"convert_float_int_wraps", "convert", "floats beyond the range of an integer type wrap",
       BreakElements<WrappedInstead>},
      {"convert_nan_to_least", "convert", "NaN becomes the least integer", BreakElements<ConvertNanToLeast>},
      {"convert_s4_unsigned", "convert", "s4 is not sign-extended", BreakElements<ConvertS4Unsigned>},
      {"convert_via_f32", "convert", "f64 is rounded to f32 first, and then to narrower types",
       BreakElements<RoundedTwice>},
      {"f8e4m3fn_saturates", "convert", "what overflows f8e4m3fn becomes 448, not NaN",
       BreakElements<F8e4m3fnSaturates>},
      {"imag_of_real_number", "imag", "imag of a real number is the number, not 0", BreakResult<KeepRealNumber>},
      {"int_divide_floors", "divide", "integer quotients round toward minus infinity", BreakInteger<IntDivideFloors>},
      {"int_rem_is_euclid", "remainder", "integer remainders are never negative", BreakInteger<IntRemIsEuclid>},
      {"is_finite_true_for_inf", "is-finite", "only NaN is not finite", BreakElements<IsFiniteTrueForInf>},
      {"mulhi_of_unsigned", "mulhi", "signed factors are taken for unsigned ones", BreakInteger<MulhiOfUnsigned>},
      {"not_is_logical", "not", "not of an integer is 1 for zero, else 0", BreakInteger<NotIsLogical>},
      {"or_is_xor", "or", "or of two set bits is 0", BreakElements<OrIsXor>},
      {"popcnt_sign_extended", "popcnt", "the sign bit counts twice", BreakInteger<PopcntSignExtended>},
      {"real_via_f32", "real", "the parts of a c128 number are rounded to f32", BreakResult<RoundToF32>},
      {"select_swapped_on_scalar_pred", "select", "a scalar predicate over arrays chooses the other one",
       BreakElements<SelectSwappedOnScalarPred>},
      {"shift_left_modulo", "shift-left", "amounts of the width and more are taken modulo the width",
       BreakInteger<ShiftLeftModulo>},
      {"shift_right_logical_modulo", "shift-right-logical", "amounts of the width and more are taken modulo the width",
       BreakInteger<ShiftRightLogicalModulo>},
      {"shra_is_logical", "shift-right-arithmetic", "the sign bit is not replicated", BreakInteger<ShraIsLogical>},
      {"stochastic_convert_rne", "stochastic-convert", "the random bits are ignored: conversion rounds to nearest",
       BreakElements<StochasticConvertRne>},
      {"unsigned_compare_as_signed", "compare", "u8 200 is less than u8 100", BreakElements<ComparedAsSigned>},
      {"xor_is_or", "xor", "xor of two set bits is 1", BreakElements<XorIsOr>},
  };
}

}  // namespace assay
