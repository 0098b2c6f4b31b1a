// An oracle for formats of at most eight bits that shares nothing with the interpreter: the table of a format's values
// written out from its definition, and rounding by a search for the nearest entry.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay::testing {

// The codes at the top of a format's range (OCP 8-bit and microscaling formats, and the fnuz ones).
enum class Top {
  kInfinity,   // the largest exponent is for infinity and NaN
  kOneNan,     // all ones is NaN
  kFnuz,       // all codes are numbers, 0x80 is NaN
  kSaturates,  // no NaN, no infinity
};

struct SmallFormat {
  PrimitiveType type;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Top top;

  int codes() const { return 1 << (1 + exponent_bits + mantissa_bits); }
  int sign_code() const { return codes() / 2; }
  bool IsNan(int code) const {
    const int magnitude = code % sign_code();
    switch (top) {
      case Top::kInfinity:
        return magnitude > ((1 << exponent_bits) - 1) << mantissa_bits;
      case Top::kOneNan:
        return magnitude == sign_code() - 1;
      case Top::kFnuz:
        return code == sign_code();
      case Top::kSaturates:
        return false;
    }
    return false;
  }
  double Value(int code) const {
    if (IsNan(code)) return std::numeric_limits<double>::quiet_NaN();
    const int magnitude = code % sign_code();
    const int exponent = magnitude >> mantissa_bits;
    const int fraction = magnitude % (1 << mantissa_bits);
    double value = exponent == 0 ? std::ldexp(fraction, 1 - bias - mantissa_bits)
                                 : std::ldexp((1 << mantissa_bits) + fraction, exponent - bias - mantissa_bits);
    if (top == Top::kInfinity && exponent == (1 << exponent_bits) - 1) value = HUGE_VAL;
    return code >= sign_code() ? -value : value;
  }

  // Returns the code nearest to a real number. Its magnitude is above m if side(m) > 0, equal to m if side(m) is 0,
  // below m otherwise. Ties round to the even code. Half a step beyond the last number the format overflows.
  template <class Side>
  int Nearest(bool negative, Side side) const {
    int last = sign_code() - 1;
    while (IsNan(last) || std::isinf(Value(last))) --last;
    const double beyond = 2 * Value(last) - Value(last - 1);
    int code = 0;
    for (int low = 0, high = last; low <= high;) {
      const int middle = (low + high) / 2;
      if (side(Value(middle)) >= 0) {
        code = middle;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    const double next = code == last ? beyond : Value(code + 1);
    const int half = side((Value(code) + next) / 2);
    if (half > 0 || (half == 0 && code % 2 == 1)) ++code;
    if (code > last) return Overflow(negative);
    if (code == 0 && top == Top::kFnuz) return 0;
    return code + (negative ? sign_code() : 0);
  }
  int Overflow(bool negative) const {
    switch (top) {
      case Top::kInfinity:
        return (((1 << exponent_bits) - 1) << mantissa_bits) + (negative ? sign_code() : 0);
      case Top::kOneNan:
        return sign_code() - 1 + (negative ? sign_code() : 0);
      case Top::kFnuz:
        return sign_code();
      case Top::kSaturates:
        return sign_code() - 1 + (negative ? sign_code() : 0);
    }
    return 0;
  }
  // Returns the code of a number that a double holds exactly; nothing for NaN.
  std::optional<int> Round(double value) const {
    if (std::isnan(value)) return std::nullopt;
    const double magnitude = std::fabs(value);
    if (std::isinf(magnitude)) return Overflow(std::signbit(value));
    return Nearest(std::signbit(value), [magnitude](double m) { return magnitude > m ? 1 : magnitude < m ? -1 : 0; });
  }
};

inline constexpr SmallFormat kSmallFormats[] = {
    {F8E5M2, 5, 2, 15, Top::kInfinity},   {F8E4M3, 4, 3, 7, Top::kInfinity},    {F8E3M4, 3, 4, 3, Top::kInfinity},
    {F8E4M3FN, 4, 3, 7, Top::kOneNan},    {F8E4M3FNUZ, 4, 3, 8, Top::kFnuz},    {F8E4M3B11FNUZ, 4, 3, 11, Top::kFnuz},
    {F8E5M2FNUZ, 5, 2, 16, Top::kFnuz},   {F6E3M2FN, 3, 2, 3, Top::kSaturates}, {F6E2M3FN, 2, 3, 1, Top::kSaturates},
    {F4E2M1FN, 2, 1, 1, Top::kSaturates},
};

}  // namespace assay::testing
