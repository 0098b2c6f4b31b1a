// The rounding of the op reduce-precision.
#pragma once

#include <cstdint>

#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {

// Rounds the mantissa in the format's own bits, ties to even, where a carry increments the exponent. Then applies the
// exponent: above the reduced range the result is the overflow value, below its normal numbers zero. Bits that the
// format does not have change nothing.
inline std::uint64_t ReducePrecision(const FloatFormat& format, int exponent_bits, int mantissa_bits,
                                     std::uint64_t bits) {
  if (format.is_nan(bits) || format.is_infinity(bits)) return bits;
  const bool is_negative = (bits & format.sign_mask()) != 0;
  std::uint64_t magnitude = bits & format.magnitude_mask();
  if (mantissa_bits < format.mantissa_bits) {
    const int drop = format.mantissa_bits - mantissa_bits;
    const std::uint64_t last_place = std::uint64_t{1} << drop;
    magnitude += last_place / 2 - 1 + (magnitude >> drop & 1);
    magnitude &= ~(last_place - 1);
  }
  if (magnitude > format.max_finite_bits()) return format.overflow_bits(is_negative);
  if (exponent_bits < format.exponent_bits) {
    const int reduced_bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(magnitude >> format.mantissa_bits) - format.bias;
    if (exponent > reduced_bias) return format.overflow_bits(is_negative);
    if (exponent <= -reduced_bias) return Round(format, is_negative, 0, 0, /*sticky=*/false);
  }
  return magnitude | (is_negative && (magnitude != 0 || format.has_negative_zero) ? format.sign_mask() : 0);
}

}  // namespace assay
