#include "interpreter/numerics/round.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>

#include "interpreter/numerics/double_word.h"

namespace assay {
namespace {

constexpr int kDoubleMantissaBits = 52;
constexpr int kDoubleBias = 1023;
constexpr std::uint64_t kDoubleMantissa = (std::uint64_t{1} << kDoubleMantissaBits) - 1;

int BitLength(uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + std::bit_width(high) : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
}

// Returns significand / 2^drop rounded to nearest, ties to even.
uint128 ShiftRightRounded(uint128 significand, int drop, bool sticky) {
  if (drop <= 0) return significand << -drop;
  if (drop > 128) return 0;
  const uint128 half = uint128{1} << (drop - 1);
  const uint128 rest = significand & (half | (half - 1));
  const uint128 kept = drop == 128 ? 0 : significand >> drop;
  const bool above_half = rest > half || (rest == half && sticky);
  const bool tie = rest == half && !sticky;
  return kept + ((above_half || (tie && (kept & 1) != 0)) ? 1 : 0);
}

std::uint64_t RoundNan(const FloatFormat& format, bool negative, std::uint64_t payload) {
  std::uint64_t bits = format.nan_bits(negative);
  if (format.nan == NanEncoding::kIeee) bits |= payload >> (kDoubleMantissaBits - format.mantissa_bits);
  return bits;
}

// value = (-1)^negative * significand * 2^exponent; finite values only.
struct Decomposed {
  bool negative;
  std::uint64_t significand;
  int exponent;
};

Decomposed Decompose(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int biased = static_cast<int>(bits >> kDoubleMantissaBits) & 0x7ff;
  const std::uint64_t hidden = biased == 0 ? 0 : kDoubleMantissa + 1;
  return {std::signbit(value), hidden | (bits & kDoubleMantissa), std::max(biased, 1) - 1075};
}

}  // namespace

std::uint64_t Round(const FloatFormat& format, bool negative, uint128 significand, int exponent, bool sticky) {
  if (!format.has_sign && (negative || (significand == 0 && !sticky))) return format.nan_bits(negative);
  const std::uint64_t sign = negative ? format.sign_mask() : 0;
  if (significand == 0) return format.has_negative_zero ? sign : 0;

  // Subnormal numbers share the exponent of the least normal one.
  const std::int64_t lead =
      std::max<std::int64_t>(std::int64_t{exponent} + BitLength(significand) - 1, format.min_exponent());
  if (lead > (std::int64_t{1} << format.exponent_bits) - format.bias) return format.overflow_bits(negative);
  const std::int64_t drop = std::min<std::int64_t>(lead - format.mantissa_bits - exponent, 129);
  auto kept = static_cast<std::uint64_t>(ShiftRightRounded(significand, static_cast<int>(drop), sticky));
  if (!format.has_zero) kept = std::max<std::uint64_t>(kept, 1);

  // The hidden bit, and a carry out of the rounding, both step the exponent field by plain addition.
  const auto exponent_field = static_cast<std::uint64_t>(lead + format.bias - 1);
  const std::uint64_t magnitude = kept + (exponent_field << format.mantissa_bits);
  if (magnitude > format.max_finite_bits()) return format.overflow_bits(negative);
  return magnitude == 0 && !format.has_negative_zero ? 0 : sign | magnitude;
}

std::uint64_t RoundDouble(const FloatFormat& format, double value) {
  if (format.type == F64 && !std::isnan(value)) return std::bit_cast<std::uint64_t>(value);
  const bool negative = std::signbit(value);
  if (std::isnan(value)) return RoundNan(format, negative, std::bit_cast<std::uint64_t>(value) & kDoubleMantissa);
  if (std::isinf(value)) return format.overflow_bits(negative);
  const Decomposed parts = Decompose(value);
  return Round(format, negative, parts.significand, parts.exponent, false);
}

std::uint64_t RoundDoubleDouble(const FloatFormat& format, double high, double low) {
  const auto [sum, error] = TwoSum(high, low);
  if (format.type == F64 || error == 0 || !std::isfinite(sum) || !std::isfinite(error)) return RoundDouble(format, sum);
  // The error is at most half a place of the sum, and every other format is much narrower than f64: only the side of
  // the sum on which the error is matters.
  const Decomposed parts = Decompose(sum);
  const uint128 significand = uint128{parts.significand} << 2;
  const bool towards_zero = std::signbit(error) != parts.negative;
  return Round(format, parts.negative, towards_zero ? significand - 1 : significand, parts.exponent - 2, true);
}

std::uint64_t RoundMpfr(const FloatFormat& format, mpfr_srcptr value, int ternary) {
  const bool negative = mpfr_signbit(value) != 0;
  if (mpfr_nan_p(value)) return format.nan_bits(negative);
  if (mpfr_inf_p(value)) return format.overflow_bits(negative);
  if (mpfr_zero_p(value)) return Round(format, negative, 0, 0, ternary != 0);

  // MPFR's fraction is in [1/2, 1), most significant limb last. Its leading 126 bits, two zero bits below them, then
  // the rest in `sticky`.
  static_assert(GMP_NUMB_BITS == 64);
  const auto limbs = static_cast<int>((mpfr_get_prec(value) + 63) / 64);
  const mp_limb_t* limb = value->_mpfr_d;
  const uint128 fraction = uint128{limb[limbs - 1]} << 64 | (limbs > 1 ? limb[limbs - 2] : 0);
  bool sticky = (fraction & 3) != 0;
  for (int i = 0; i + 2 < limbs; ++i) sticky = sticky || limb[i] != 0;
  uint128 significand = fraction & ~uint128{3};

  // A positive ternary result means that `value` is above the true number: for a positive number, too large in
  // magnitude.
  const bool too_long = ternary != 0 && (ternary > 0) != negative;
  if (too_long && !sticky) significand -= 1;
  const mpfr_exp_t exponent = std::clamp<mpfr_exp_t>(mpfr_get_exp(value) - 128, INT_MIN / 2, INT_MAX / 2);
  return Round(format, negative, significand, static_cast<int>(exponent), sticky || ternary != 0);
}

double ToDouble(const FloatFormat& format, std::uint64_t bits) {
  if (format.type == F64 && !format.is_nan(bits)) return std::bit_cast<double>(bits);
  if (const float number = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      format.type == F32 && !std::isnan(number)) {
    return number;
  }
  const bool negative = (bits & format.sign_mask()) != 0;
  const std::uint64_t magnitude = bits & format.magnitude_mask();
  const std::uint64_t fraction = magnitude & format.mantissa_mask();
  if (format.is_nan(bits)) {
    std::uint64_t nan = FloatFormatOf(F64).nan_bits(negative);
    if (format.nan == NanEncoding::kIeee) nan |= fraction << (kDoubleMantissaBits - format.mantissa_bits);
    return std::bit_cast<double>(nan);
  }
  double value = INFINITY;
  const auto biased = static_cast<int>(magnitude >> format.mantissa_bits);
  const int exponent = biased - format.bias;
  if (biased != 0 && !format.is_infinity(bits) && exponent > -kDoubleBias && format.type != F64) {
    // Normal in both formats.
    value = std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kDoubleBias) << kDoubleMantissaBits |
                                  fraction << (kDoubleMantissaBits - format.mantissa_bits));
  } else if (!format.is_infinity(bits)) {
    const bool normal = biased != 0 || !format.has_zero;
    const std::uint64_t significand = fraction | (normal ? format.mantissa_mask() + 1 : 0);
    const int least = format.has_zero ? 1 : 0;
    value = std::ldexp(static_cast<double>(significand), std::max(biased, least) - format.bias - format.mantissa_bits);
  }
  return negative ? -value : value;
}

}  // namespace assay
