#include "interpreter/types/mixed_precision.h"

#include <tuple>

#include "interpreter/types/float_format.h"

namespace assay {

bool SameTypeIgnoringFpPrecision(PrimitiveType a, PrimitiveType b) {
  return a == b || (IsFloatingPointType(a) && IsFloatingPointType(b));
}

PrimitiveType HigherPrecisionType(PrimitiveType a, PrimitiveType b) {
  if (a == b) return a;
  const auto range_and_digits = [](PrimitiveType type) {
    const FloatFormat& format = FloatFormatOf(type);
    const int overflow_exponent = (1 << format.exponent_bits) - 1 - format.bias + (format.has_infinity ? 0 : 1);
    return std::tuple(overflow_exponent, format.precision(), format.bits(), type);
  };
  return range_and_digits(a) < range_and_digits(b) ? b : a;
}

}  // namespace assay
