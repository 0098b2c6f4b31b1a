#include "interpreter/acceptance/reals.h"

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/numerics/round.h"

namespace assay {

Reals Rounded(const FloatFormat& format, const Reals& x) {
  if (x.IsEmpty()) return x;
  const auto round = [&](double end) { return ToDouble(format, RoundDouble(format, end)); };
  Reals result = {round(x.low), round(x.high), x.may_be_nan};
  if (std::isnan(result.low)) result.low = x.low, result.may_be_nan = true;  // overflow in a format without infinities
  if (std::isnan(result.high)) result.high = x.high, result.may_be_nan = true;
  return result;
}

Reals BeforeRounding(PrimitiveType type, double value) {
  if (!std::isfinite(value)) {
    if (std::isnan(value)) return Reals::Nan();
    const double last = LargestFinite(type);
    return value > 0 ? Reals{last, INFINITY, false} : Reals{-INFINITY, -last, false};
  }
  const double half = UnitInTheLastPlace(type, value) / 2;
  return {value - half, value + half, false};
}

double NumberAt(const Literal& array, std::int64_t component) {
  if (IsReal(array.element_type())) return RealValue(ComponentAt(array, component));
  const std::int64_t integer = array.IntegerAt(component);
  return array.element_type() == U64 ? static_cast<double>(static_cast<std::uint64_t>(integer))
                                     : static_cast<double>(integer);
}

double LargestValue(const Literal& value) {
  double largest = 0;
  const std::int64_t components = value.element_count() * ComponentsOf(value.element_type());
  for (std::int64_t i = 0; i < components; ++i) {
    const double x = std::fabs(RealValue(ComponentAt(value, i)));
    if (std::isfinite(x)) largest = std::max(largest, x);
  }
  return largest;
}

double LargestWidth(const ValueSet& set) {
  const ElementReader reader(set);
  double width = 0;
  const std::int64_t components = set.value.element_count() * ComponentsOf(set.value.element_type());
  for (std::int64_t i = 0; i < components; ++i) {
    const Reals x = reader.At(i);
    if (!x.IsEmpty() && x.low != x.high) width = std::max(width, x.high - x.low);
  }
  return width;
}

Literal ReachOf(const ValueSet& set) {
  if (!set.open || set.is_tuple || !IsFloatingPointType(set.value.element_type())) return ValueOf(set);
  const ElementReader reader(set);
  Literal reach = NumbersOf(set.value);
  auto out = reach.mutable_values<double>();
  for (std::int64_t i = 0; i < reach.element_count(); ++i) {
    if (!reader.IsOpen(i)) {
      out[i] = std::fabs(out[i]);
      continue;
    }
    const Reals x = reader.At(i);
    out[i] = x.may_be_nan ? INFINITY : std::max(std::fabs(x.low), std::fabs(x.high));
  }
  return reach;
}

bool HasSubnormals(const Literal& value, const OpenElements* image) {
  const PrimitiveType type = ComplexComponentType(value.element_type());
  if (image != nullptr) return true;
  const std::int64_t components = value.element_count() * ComponentsOf(value.element_type());
  for (std::int64_t i = 0; i < components; ++i) {
    const RealElement element = ComponentAt(value, i);
    const double magnitude = std::fabs(RealValue(element));
    if (magnitude != 0 && magnitude <= LeastNormal(type)) return true;
  }
  return false;
}

}  // namespace assay
