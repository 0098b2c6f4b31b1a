#include "interpreter/acceptance/ops/common/complex_images.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "interpreter/types/float_format.h"

namespace assay {
namespace {

Reals PartMagnitudes(const Reals& x) {
  const double low = std::fabs(x.low), high = std::fabs(x.high);
  return {x.ContainsZero() ? 0 : std::min(low, high), std::max(low, high), x.may_be_nan};
}

Reals Plus(const Reals& a, const Reals& b) { return Outward({a.low + b.low, a.high + b.high, false}); }
Reals Minus(const Reals& a, const Reals& b) { return Plus(a, {-b.high, -b.low, false}); }

Reals Times(const Reals& a, const Reals& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return Outward({low, high, false});
}

Reals Over(const Reals& a, const Reals& b) {
  const auto [low, high] = std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  return Outward({low, high, false});
}

Reals Squared(const Reals& x) {
  const Reals size = PartMagnitudes(x);
  return Times(size, size);
}

// True if products of two parts neither overflow nor are flushed, unless a larger part makes them negligible.
bool AreModerate(const ComplexReals& x, PrimitiveType type) {
  double size = 0;
  for (const Reals& part : x) {
    if (part.IsEmpty() || part.may_be_nan) return false;
    size = std::max(size, PartMagnitudes(part).high);
  }
  const double limit = std::ldexp(1.0, -FloatFormatOf(type).min_exponent() / 2 - 2);
  return size == 0 || (size <= limit && size >= 1 / limit);
}

}  // namespace

ElementSet MapComplex(std::span<const ValueSet> operands, const Literal& value, ComplexImage image) {
  const PrimitiveType type = ComplexComponentType(value.element_type());
  const int parts = ComponentCount(value.element_type());
  std::vector<ElementReader> readers;
  readers.reserve(operands.size());
  for (const ValueSet& operand : operands) readers.emplace_back(operand);
  ElementWriter writer(value);
  std::vector<ComplexReals> x(operands.size());
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (std::ranges::none_of(readers, [&](const ElementReader& reader) { return reader.IsOpen(i); })) continue;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = {readers[k].At(2 * i), readers[k].At(2 * i + 1)};
    const bool are_moderate = std::ranges::all_of(x, [&](const ComplexReals& one) { return AreModerate(one, type); });
    const ComplexReals result = are_moderate ? image(x) : ComplexReals();
    for (int part = 0; part < parts; ++part) writer.Set(i * parts + part, result[part]);
  }
  return writer.Take();
}

ComplexReals ComplexProduct(std::span<const ComplexReals> x) {
  const auto& [a, b] = x[0];
  const auto& [c, d] = x[1];
  return {Minus(Times(a, c), Times(b, d)), Plus(Times(a, d), Times(b, c))};
}

ComplexReals ComplexQuotient(std::span<const ComplexReals> x) {
  const auto& [a, b] = x[0];
  const auto& [c, d] = x[1];
  const Reals square = Plus(Squared(c), Squared(d));
  if (!(square.low > 0)) return {};
  return {Over(Plus(Times(a, c), Times(b, d)), square), Over(Minus(Times(b, c), Times(a, d)), square)};
}

ComplexReals Modulus(std::span<const ComplexReals> x) {
  const Reals real = PartMagnitudes(x[0][0]), imaginary = PartMagnitudes(x[0][1]);
  const Reals modulus = Outward({std::hypot(real.low, imaginary.low), std::hypot(real.high, imaginary.high), false});
  return {Reals{std::max(modulus.low, 0.0), modulus.high, false}, Reals::Point(0)};
}

}  // namespace assay
