#include "interpreter/types/float_format.h"

#include <array>
#include <cstdlib>

#include "interpreter/types/check.h"

namespace assay {
namespace {

constexpr FloatFormat Ieee(PrimitiveType type, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  return {type, exponent_bits, mantissa_bits, bias, true, NanEncoding::kIeee, true, true, true, true};
}

constexpr FloatFormat Finite(PrimitiveType type, int exponent_bits, int mantissa_bits, NanEncoding nan) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  return {type, exponent_bits, mantissa_bits, bias, false, nan, true, true, true, true};
}

constexpr FloatFormat Fnuz(PrimitiveType type, int exponent_bits, int mantissa_bits, int bias) {
  return {type, exponent_bits, mantissa_bits, bias, false, NanEncoding::kNegativeZero, true, false, true, true};
}

constexpr auto kFormats = std::to_array<FloatFormat>({
    Ieee(F64, 11, 52),
    Ieee(F32, 8, 23),
    Ieee(F16, 5, 10),
    Ieee(BF16, 8, 7),
    Ieee(F8E5M2, 5, 2),
    Ieee(F8E4M3, 4, 3),
    Ieee(F8E3M4, 3, 4),
    Finite(F8E4M3FN, 4, 3, NanEncoding::kAllOnes),
    Fnuz(F8E4M3B11FNUZ, 4, 3, 11),
    Fnuz(F8E4M3FNUZ, 4, 3, 8),
    Fnuz(F8E5M2FNUZ, 5, 2, 16),
    Finite(F6E3M2FN, 3, 2, NanEncoding::kNone),
    Finite(F6E2M3FN, 2, 3, NanEncoding::kNone),
    Finite(F4E2M1FN, 2, 1, NanEncoding::kNone),
    {F8E8M0FNU, 8, 0, 127, false, NanEncoding::kAllOnes, false, false, false, false},
});

constexpr std::size_t kNoFormat = kFormats.size();

// The index in kFormats of each type's row.
constexpr auto kPlaces = [] {
  std::array<std::size_t, kPrimitiveTypes.size()> places = {};
  places.fill(kNoFormat);
  for (std::size_t i = 0; i < kFormats.size(); ++i) places[kFormats[i].type] = i;
  return places;
}();

}  // namespace

std::uint64_t FloatFormat::max_finite_bits() const {
  switch (nan) {
    case NanEncoding::kIeee:
      return (magnitude_mask() ^ mantissa_mask()) - 1;
    case NanEncoding::kAllOnes:
      return magnitude_mask() - 1;
    case NanEncoding::kNegativeZero:
    case NanEncoding::kNone:
      break;
  }
  return magnitude_mask();
}

std::uint64_t FloatFormat::overflow_bits(bool negative) const {
  const std::uint64_t sign = negative ? sign_mask() : 0;
  if (has_infinity) return sign | (magnitude_mask() ^ mantissa_mask());
  if (nan != NanEncoding::kNone) return nan_bits(negative);
  return sign | max_finite_bits();
}

std::uint64_t FloatFormat::nan_bits(bool negative) const {
  const std::uint64_t sign = negative ? sign_mask() : 0;
  switch (nan) {
    case NanEncoding::kIeee:
      return sign | (magnitude_mask() ^ (mantissa_mask() >> 1));
    case NanEncoding::kAllOnes:
      return sign | magnitude_mask();
    case NanEncoding::kNegativeZero:
      return sign_mask();
    case NanEncoding::kNone:
      break;
  }
  // The format has no NaN. ml_dtypes and XLA:CPU both convert NaN to the zero of the opposite sign: -0 for the usual
  // NaN.
  return negative ? 0 : sign_mask();
}

bool FloatFormat::is_nan(std::uint64_t bits) const {
  const std::uint64_t magnitude = bits & magnitude_mask();
  switch (nan) {
    case NanEncoding::kIeee:
      return magnitude > (magnitude_mask() ^ mantissa_mask());
    case NanEncoding::kAllOnes:
      return magnitude == magnitude_mask();
    case NanEncoding::kNegativeZero:
      return magnitude == 0 && (bits & sign_mask()) != 0;
    case NanEncoding::kNone:
      break;
  }
  return false;
}

bool FloatFormat::is_infinity(std::uint64_t bits) const {
  return has_infinity && (bits & magnitude_mask()) == (magnitude_mask() ^ mantissa_mask());
}

const FloatFormat& FloatFormatOf(PrimitiveType type) {
  const auto number = static_cast<std::size_t>(type);
  if (number >= kPlaces.size() || kPlaces[number] == kNoFormat) BrokenInvariant("the type has no float format");
  return kFormats[kPlaces[number]];
}

}  // namespace assay
