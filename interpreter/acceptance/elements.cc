#include "interpreter/acceptance/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {

RealElement ComponentAt(const Literal& array, std::int64_t component) {
  const PrimitiveType type = ComplexComponentType(array.element_type());
  const auto load = [&]<class Bits>(Bits bits) {
    std::memcpy(&bits, array.data() + component * static_cast<std::int64_t>(sizeof(Bits)), sizeof(Bits));
    return RealElement{type, bits};
  };
  switch (StorageBytes(type)) {
    case 1:
      return load(std::uint8_t{});
    case 2:
      return load(std::uint16_t{});
    case 4:
      return load(std::uint32_t{});
    default:
      return load(std::uint64_t{});
  }
}

bool IsFiniteElement(const Literal& array, std::int64_t offset) {
  const int components = ComponentCount(array.element_type());
  for (int i = 0; i < components; ++i) {
    if (!std::isfinite(RealValue(ComponentAt(array, offset * components + i)))) return false;
  }
  return true;
}

bool SameElement(const Literal& want, const Literal& got, std::int64_t offset) {
  const int bytes = StorageBytes(want.element_type());
  const std::byte *a = want.data() + offset * bytes, *b = got.data() + offset * bytes;
  const bool is_equal = bytes == 4 ? std::memcmp(a, b, 4) == 0 : std::memcmp(a, b, bytes) == 0;  // 4 bytes: inline
  if (is_equal) return true;
  if (!IsInexactType(want.element_type())) return false;
  const int components = ComponentCount(want.element_type());
  for (int i = 0; i < components; ++i) {
    const RealElement x = ComponentAt(want, offset * components + i), y = ComponentAt(got, offset * components + i);
    if (x.bits != y.bits && !(IsNan(x) && IsNan(y))) return false;
  }
  return true;
}

namespace {

// Implements UlpDistance for f32, the type of most arrays with many elements.
double UlpDistanceOfSingles(const Literal& want, const Literal& got, std::int64_t offset) {
  const auto position = [offset](const Literal& array) {
    const std::uint32_t bits = array.values<std::uint32_t>()[offset];
    const auto magnitude = static_cast<std::int64_t>(bits & 0x7fffffff);
    return bits >> 31 != 0 ? -magnitude : magnitude;
  };
  constexpr std::int64_t kInfinity = 0x7f800000;
  const std::int64_t a = position(want), b = position(got);
  const bool is_nan = std::abs(a) > kInfinity, is_other_nan = std::abs(b) > kInfinity;
  if (is_nan != is_other_nan) return INFINITY;
  return is_nan ? 0 : static_cast<double>(std::abs(a - b));
}

}  // namespace

double WorstUlps(const Literal& want, const Literal& got, std::int64_t offset) {
  if (!IsInexactType(want.element_type()))
    return std::fabs(static_cast<double>(want.IntegerAt(offset)) - static_cast<double>(got.IntegerAt(offset)));
  if (want.element_type() == F32) return UlpDistanceOfSingles(want, got, offset);
  const int components = ComponentCount(want.element_type());
  double worst = 0;
  for (int i = 0; i < components; ++i) {
    const RealElement a = ComponentAt(want, offset * components + i), b = ComponentAt(got, offset * components + i);
    if (IsNan(a) != IsNan(b)) return INFINITY;
    if (!IsNan(a)) worst = std::max(worst, UlpDistance(a, b));
  }
  return worst;
}

bool IsNan(RealElement element) { return FloatFormatOf(element.type).is_nan(element.bits); }

bool HasSubnormalReciprocal(PrimitiveType type, double number) {
  return MayBeFlushed(type) && std::isfinite(number) && std::fabs(number) > 1 / LeastNormal(type);
}

bool IsZero(RealElement element) {
  const FloatFormat& format = FloatFormatOf(element.type);
  return format.has_zero && (element.bits & format.magnitude_mask()) == 0 && !format.is_nan(element.bits);
}

bool MayBeFlushed(PrimitiveType type) { return BitWidth(type) >= 16; }

bool HasSign(RealElement element) { return (element.bits & FloatFormatOf(element.type).sign_mask()) != 0; }

bool IsSubnormal(RealElement element) {
  const FloatFormat& format = FloatFormatOf(element.type);
  const std::uint64_t magnitude = element.bits & format.magnitude_mask();
  return format.has_subnormals && magnitude != 0 && magnitude <= format.mantissa_mask() && !format.is_nan(element.bits);
}

namespace {

constexpr int kBias = 1023, kMantissaBits = 52;  // of f64

double PowerOfTwo(int exponent) {
  if (exponent <= -kBias || exponent > kBias) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kBias) << kMantissaBits);
}

}  // namespace

double UnitInTheLastPlace(PrimitiveType type, double x) {
  const FloatFormat& format = FloatFormatOf(type);
  // Zero and subnormal numbers of f64 have the smallest exponent field.
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> kMantissaBits & 2047) - kBias;
  const int least = format.min_exponent();
  return PowerOfTwo((std::isfinite(x) ? std::max(exponent, least) : least) - format.mantissa_bits);
}

double FirstBeyond(PrimitiveType type) {
  const double largest = LargestFinite(type);
  return largest + UnitInTheLastPlace(type, largest);
}

namespace {

// Returns the position of a number on the line of its format; zeros are at 0.
__int128 PositionOf(RealElement element) {
  const FloatFormat& format = FloatFormatOf(element.type);
  const auto magnitude = static_cast<__int128>(element.bits & format.magnitude_mask());
  return (element.bits & format.sign_mask()) != 0 ? -magnitude : magnitude;
}

}  // namespace

double UlpDistance(RealElement a, RealElement b) {
  const __int128 distance = PositionOf(a) - PositionOf(b);
  return static_cast<double>(distance < 0 ? -distance : distance);
}

std::string DescribeReal(RealElement element) {
  return fmt::format("x{:0{}x} ({})", element.bits, 2 * StorageBytes(element.type), RealValue(element));
}

std::string DescribeElement(const Literal& array, std::int64_t offset) {
  const PrimitiveType type = array.element_type();
  if (!IsInexactType(type)) {
    return IsUnsignedIntegralType(type) ? fmt::format("{}", static_cast<std::uint64_t>(array.IntegerAt(offset)))
                                        : fmt::format("{}", array.IntegerAt(offset));
  }
  std::string text;
  const int components = ComponentCount(type);
  for (int i = 0; i < components; ++i) {
    if (i > 0) text += ", ";
    text += DescribeReal(ComponentAt(array, offset * components + i));
  }
  return text;
}

Literal WithPositiveZeros(const Literal& value) {
  Literal positive = value;
  for (Literal& element : positive.mutable_elements()) element = WithPositiveZeros(element);
  const PrimitiveType type = ComplexComponentType(value.element_type());
  if (!IsFloatingPointType(type)) return positive;
  const std::int64_t components = value.element_count() * ComponentCount(value.element_type());
  for (std::int64_t i = 0; i < components; ++i) {
    const int bytes = StorageBytes(type);
    if (IsZero(ComponentAt(value, i))) std::memset(positive.mutable_data() + i * bytes, 0, bytes);
  }
  return positive;
}

bool HasSubnormals(const Literal& array) {
  const PrimitiveType type = ComplexComponentType(array.element_type());
  if (!IsFloatingPointType(type) || !MayBeFlushed(type)) return false;
  const double least = LeastNormal(type);
  const std::int64_t count = array.element_count() * ComponentCount(array.element_type());
  std::array<double, 512> numbers;
  for (std::int64_t begin = 0; begin < count; begin += std::ssize(numbers)) {
    const std::int64_t size = std::min(std::ssize(numbers), count - begin);
    LoadReals(type, array.data() + begin * StorageBytes(type), numbers.data(), size);
    const auto is_subnormal = [least](double x) { return x != 0 && std::fabs(x) <= least; };
    if (std::any_of(numbers.begin(), numbers.begin() + size, is_subnormal)) return true;
  }
  return false;
}

Literal WithSubnormalsFlushed(const Literal& value, bool is_least_normal_flushed) {
  Literal flushed = value;
  for (Literal& element : flushed.mutable_elements()) element = WithSubnormalsFlushed(element, is_least_normal_flushed);
  if (!value.shape().IsArray() || !HasSubnormals(value)) return flushed;
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const std::int64_t components = value.element_count() * ComponentCount(value.element_type());
  for (std::int64_t i = 0; i < components; ++i) {
    const RealElement element = ComponentAt(value, i);
    const bool is_least = is_least_normal_flushed && std::fabs(RealValue(element)) == LeastNormal(type);
    if (!is_least && !IsSubnormal(element)) continue;
    const std::uint64_t zero = element.bits & FloatFormatOf(type).sign_mask();
    std::memcpy(flushed.mutable_data() + i * StorageBytes(type), &zero, StorageBytes(type));
  }
  return flushed;
}

double RealValue(RealElement element) {
  const float single = std::bit_cast<float>(static_cast<std::uint32_t>(element.bits));
  if (element.type == F32 && !std::isnan(single)) return single;
  return ToDouble(FloatFormatOf(element.type), element.bits);
}

namespace {

// The limits of a type that are read for every element.
struct RealLimits {
  double unit_roundoff = 0, smallest_subnormal = 0, least_normal = 0, largest_finite = 0;
};

RealLimits FindLimits(PrimitiveType type) {
  const FloatFormat& format = FloatFormatOf(type);
  return {.unit_roundoff = PowerOfTwo(-format.precision()),
          .smallest_subnormal = PowerOfTwo(format.min_exponent() - format.mantissa_bits),
          .least_normal = PowerOfTwo(format.min_exponent()),
          .largest_finite = ToDouble(format, format.max_finite_bits())};
}

const RealLimits& LimitsOf(PrimitiveType type) {
  static const auto limits = [] {
    std::vector<RealLimits> of_types;
    for (const PrimitiveTypeRow& row : kPrimitiveTypes) {
      if (row.category != TypeCategory::kFloat) continue;
      of_types.resize(std::max<std::size_t>(of_types.size(), row.type + 1));
      of_types[row.type] = FindLimits(row.type);
    }
    return of_types;
  }();
  return limits[type];
}

}  // namespace

double UnitRoundoff(PrimitiveType type) { return LimitsOf(type).unit_roundoff; }

double SmallestSubnormal(PrimitiveType type) { return LimitsOf(type).smallest_subnormal; }

double LeastNormal(PrimitiveType type) { return LimitsOf(type).least_normal; }

double LargestFinite(PrimitiveType type) { return LimitsOf(type).largest_finite; }

double InfinityOf(PrimitiveType type) {
  const FloatFormat& format = FloatFormatOf(type);
  return format.has_infinity || format.nan != NanEncoding::kNone ? INFINITY : LargestFinite(type);
}

}  // namespace assay
