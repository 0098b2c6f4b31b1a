// One descriptor for each float format. Its fields hold everything that differs between f64 and f4e2m1fn; no other code
// branches on the format.
#pragma once

#include <cstdint>

#include "interpreter/types/primitive_type.h"

namespace assay {

// The encoding of a format's NaNs.
enum class NanEncoding {
  kIeee,          // exponent all ones, fraction not zero
  kAllOnes,       // sign.1111.111 only (f8e4m3fn); without a sign 0xFF only (f8e8m0fnu)
  kNegativeZero,  // the code 0x80 only (the fnuz formats)
  kNone,
};

// value = (-1)^sign * significand * 2^(exponent - bias - mantissa_bits), with gradual underflow where
// has_subnormals. Source of the rows: docs/numerics.md#formats.
struct FloatFormat {
  PrimitiveType type;
  int exponent_bits;
  int mantissa_bits;  // stored fraction bits, without the hidden one
  int bias;
  bool has_infinity;
  NanEncoding nan;
  bool has_sign;           // f8e8m0fnu has none
  bool has_negative_zero;  // false for fnuz and for unsigned formats
  bool has_zero;           // f8e8m0fnu has none: code 0 is 2^-127
  bool has_subnormals;

  constexpr int bits() const { return (has_sign ? 1 : 0) + exponent_bits + mantissa_bits; }
  constexpr int precision() const { return mantissa_bits + 1; }
  // Returns the exponent of the leading bit of the smallest normal number.
  constexpr int min_exponent() const { return (has_zero ? 1 : 0) - bias; }
  constexpr std::uint64_t sign_mask() const {
    return has_sign ? std::uint64_t{1} << (exponent_bits + mantissa_bits) : 0;
  }
  constexpr std::uint64_t mantissa_mask() const { return (std::uint64_t{1} << mantissa_bits) - 1; }
  constexpr std::uint64_t magnitude_mask() const { return (std::uint64_t{1} << (exponent_bits + mantissa_bits)) - 1; }

  // Returns the bit pattern of the largest finite magnitude.
  std::uint64_t max_finite_bits() const;
  // Returns the result of overflow: infinity, else NaN, else the largest finite number. The result has the sign unless
  // it is a NaN of a format whose NaN has none.
  std::uint64_t overflow_bits(bool negative) const;
  // Returns the default NaN. A format without NaN returns the result of converting NaN to it.
  std::uint64_t nan_bits(bool negative) const;
  bool is_nan(std::uint64_t bits) const;
  bool is_infinity(std::uint64_t bits) const;
};

// Returns the descriptor of a floating type; aborts for any other type.
const FloatFormat& FloatFormatOf(PrimitiveType type);

}  // namespace assay
