#include "interpreter/acceptance/sets/reals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "interpreter/acceptance/elements.h"
#include "interpreter/numerics/round.h"
#include "interpreter/numerics/transform_parts.h"

namespace assay {

namespace {

// Rounds a number to a format. If the number and its neighbours are normal in the format, adds half a unit to the bits
// and cuts off the rest, ties to even.
double RoundedNumber(const FloatFormat& format, double x) {
  if (x == 0 && format.has_zero) return x;
  constexpr int kMantissaBits = 52, kBias = 1023;
  auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> kMantissaBits & 2047) - kBias;
  const int largest = (1 << format.exponent_bits) - 3 - format.bias;
  const int cut = kMantissaBits - format.mantissa_bits;
  const bool is_normal = exponent >= format.min_exponent() && exponent <= largest && format.has_sign && cut > 0;
  if (!is_normal) return ToDouble(format, RoundDouble(format, x));
  bits += (std::uint64_t{1} << (cut - 1)) - 1 + (bits >> cut & 1);
  return std::bit_cast<double>(bits >> cut << cut);
}

}  // namespace

NormalRounding::NormalRounding(PrimitiveType type)
    : cut_(std::numeric_limits<double>::digits - 1 - FloatFormatOf(type).mantissa_bits),
      least_(2 * LeastNormal(type)),
      most_(LargestFinite(type) / 2) {}

Reals Rounded(const FloatFormat& format, const Reals& given) {
  Reals x = given;
  // Formats without NaN store it as zero.
  if (x.may_be_nan && format.nan == NanEncoding::kNone) x = Hull({x.low, x.high, false}, Reals::Point(0));
  if (x.IsEmpty()) return x;
  const auto round = [&](double end) { return RoundedNumber(format, end); };
  const double low = round(x.low);
  Reals result = {low, x.low == x.high ? low : round(x.high), x.may_be_nan};
  if (std::isnan(result.low)) result.low = x.low, result.may_be_nan = true;  // overflow in a format without infinities
  if (std::isnan(result.high)) result.high = x.high, result.may_be_nan = true;
  return result;
}

bool Same(const Reals& a, const Reals& b) {
  if (a.IsEmpty() || b.IsEmpty()) return a.IsEmpty() && b.IsEmpty();
  return a.low == b.low && a.high == b.high && a.may_be_nan == b.may_be_nan && a.gap == b.gap;
}

Reals BeforeRounding(PrimitiveType type, double value) {
  if (!std::isfinite(value)) {
    if (std::isnan(value)) return Reals::Nan();
    const double last = LargestFinite(type);
    return value > 0 ? Reals{last, INFINITY, false} : Reals{-INFINITY, -last, false};
  }
  // Half a unit of f64 is lost beside the number.
  if (type == F64) return Outward(Reals::Point(value));
  const double half = UnitInTheLastPlace(type, value) / 2;
  return {value - half, value + half, false};
}

bool AllBlocks(const Literal& array, const std::function<bool(std::span<const double>)>& holds) {
  const PrimitiveType type = ComplexComponentType(array.element_type());
  if (!IsFloatingPointType(type)) return holds(ComponentsIn(NumbersOf(array)));
  constexpr std::int64_t kBlock = 1024;
  const std::int64_t count = array.element_count() * ComponentCount(array.element_type());
  std::array<double, kBlock> numbers;
  for (std::int64_t begin = 0; begin < count; begin += kBlock) {
    const std::int64_t size = std::min(kBlock, count - begin);
    LoadReals(type, array.data() + begin * StorageBytes(type), numbers.data(), size);
    if (!holds(std::span(numbers).first(static_cast<std::size_t>(size)))) return false;
  }
  return true;
}

double LargestValue(const Literal& value) {
  double largest = 0;
  const auto take = [&](std::span<const double> numbers) {
    if (AreFinite(numbers)) {
      largest = std::max(largest, LargestMagnitude(numbers));
      return true;
    }
    for (const double x : numbers) {
      if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
    }
    return true;
  };
  AllBlocks(value, take);
  return largest;
}

double LargestWidth(const ValueSet& set) {
  if (!set.open) return 0;
  const ElementReader reader(set);
  const Literal lows = reader.Lows(), highs = reader.Highs();
  const std::span<const double> low = ComponentsIn(lows), high = ComponentsIn(highs);
  double width = 0;
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (low[i] < high[i]) width = std::max(width, high[i] - low[i]);
  }
  return width;
}

namespace {

template <class Reach>
Literal MapEnds(const ValueSet& set, const Reach& reach_of) {
  if (!set.open || set.is_tuple || !IsFloatingPointType(set.value.element_type())) return ValueOf(set);
  const std::span<const double> low = ComponentsIn(set.open->low), high = ComponentsIn(set.open->high);
  const auto states = set.open->state.values<std::uint8_t>();
  Literal reach = Literal::Uninitialized(set.open->low.shape());
  auto out = reach.mutable_values<double>();
  for (std::size_t i = 0; i < low.size(); ++i) {
    out[i] = reach_of(Reals{low[i], high[i], (states[i] & OpenElements::kMayBeNan) != 0});
  }
  return reach;
}

}  // namespace

bool IsPowerOfTwo(double x) {
  int exponent = 0;
  return std::isfinite(x) && std::fabs(std::frexp(x, &exponent)) == 0.5;
}

Literal ReachOf(const ValueSet& set) {
  return MapEnds(
      set, [](const Reals& x) { return x.may_be_nan ? INFINITY : std::max(std::fabs(x.low), std::fabs(x.high)); });
}

Literal FiniteReachOf(const ValueSet& set) {
  return MapEnds(set, [](const Reals& x) {
    const double low = std::fabs(x.low), high = std::fabs(x.high);
    return std::isinf(low) ? high : std::isinf(high) ? low : std::max(low, high);
  });
}

bool NothingIsKnown(const Literal& value, const OpenElements& open) {
  if (!IsFloatingPointType(value.element_type()) || value.element_count() == 0) return false;
  const auto may_be_nan = [](std::uint8_t state) { return (state & OpenElements::kMayBeNan) != 0; };
  return std::ranges::all_of(open.state.values<std::uint8_t>(), may_be_nan) &&
         std::ranges::all_of(open.low.values<double>(), [](double x) { return x == -INFINITY; }) &&
         std::ranges::all_of(open.high.values<double>(), [](double x) { return x == INFINITY; });
}

}  // namespace assay
