#include "interpreter/acceptance/ops/common/complex_images.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "interpreter/acceptance/ops/common/real_functions.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// The exponential of a larger number may overflow, or be so small that flushing a part is no small error of the whole.
constexpr double kLargestExponent = 40;
constexpr Reals kOne = {1, 1, false};

// Results of parts of which nothing is known may be NaN, too.
Reals Plus(const Reals& a, const Reals& b) {
  return Outward({a.low + b.low, a.high + b.high, a.may_be_nan || b.may_be_nan});
}
Reals Negated(const Reals& x) { return {-x.high, -x.low, x.may_be_nan}; }
Reals Minus(const Reals& a, const Reals& b) { return Plus(a, Negated(b)); }

Reals Times(const Reals& a, const Reals& b) {
  if (a.may_be_nan || b.may_be_nan) return {};
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return Outward({low, high, false});
}

Reals Over(const Reals& a, const Reals& b) {
  const auto [low, high] = std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  return Outward({low, high, false});
}

Reals Squared(const Reals& x) {
  const Reals size = MagnitudesOf(x);
  return Times(size, size);
}

// True if products of two parts neither overflow nor are flushed, unless a larger part makes them negligible.
bool AreModerate(const ComplexReals& x, PrimitiveType type) {
  double size = 0;
  for (const Reals& part : x) {
    if (part.IsEmpty() || part.may_be_nan) return false;
    size = std::max(size, MagnitudesOf(part).high);
  }
  const double limit = std::ldexp(1.0, -FloatFormatOf(type).min_exponent() / 2 - 2);
  return size == 0 || (size <= limit && size >= 1 / limit);
}

// Returns the numbers of these moduli and these angles.
ComplexReals FromPolar(const Reals& moduli, const Reals& angles) {
  return {Times(moduli, CosinesOf(angles)), Times(moduli, SinesOf(angles))};
}

ComplexReals TimesI(const ComplexReals& x) { return {Negated(x[1]), x[0]}; }

// Returns f(i x) / i: the sine and the tangent are these of their hyperbolic functions.
ComplexReals ByI(ComplexImage function, const ComplexReals& x) {
  const std::array<ComplexReals, 1> turned = {TimesI(x)};
  const ComplexReals image = function(turned);
  return {image[1], Negated(image[0])};
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

ComplexReals ComplexExponential(std::span<const ComplexReals> x) {
  const auto& [real, imaginary] = x[0];
  if (MagnitudesOf(real).high > kLargestExponent) return {};
  return FromPolar(Increasing(std::exp, real), imaginary);
}

ComplexReals ComplexLogarithm(std::span<const ComplexReals> x) {
  const Reals moduli = Modulus(x)[0];
  if (!(moduli.low > 0)) return {};
  return {Increasing(std::log, moduli), AnglesOf(x[0][1], x[0][0])};
}

ComplexReals ComplexExponentialMinusOne(std::span<const ComplexReals> x) {
  const auto [real, imaginary] = ComplexExponential(x);
  return {Minus(real, kOne), imaginary};
}

ComplexReals ComplexLogarithmPlusOne(std::span<const ComplexReals> x) {
  const std::array<ComplexReals, 1> moved = {ComplexReals{Plus(x[0][0], kOne), x[0][1]}};
  return ComplexLogarithm(moved);
}

// 1 / (1 + e^-x).
ComplexReals ComplexLogistic(std::span<const ComplexReals> x) {
  const std::array<ComplexReals, 1> negated = {ComplexReals{Negated(x[0][0]), Negated(x[0][1])}};
  const auto [real, imaginary] = ComplexExponential(negated);
  const std::array<ComplexReals, 2> parts = {ComplexReals{kOne, Reals::Point(0)},
                                             ComplexReals{Plus(real, kOne), imaginary}};
  return ComplexQuotient(parts);
}

// e^(y log x).
ComplexReals ComplexPower(std::span<const ComplexReals> x) {
  const std::array<ComplexReals, 2> factors = {x[1], ComplexLogarithm(x.first(1))};
  const std::array<ComplexReals, 1> product = {ComplexProduct(factors)};
  return ComplexExponential(product);
}

ComplexReals ComplexCosh(std::span<const ComplexReals> x) {
  const auto& [real, imaginary] = x[0];
  if (MagnitudesOf(real).high > kLargestExponent) return {};
  return {Times(HyperbolicCosinesOf(real), CosinesOf(imaginary)),
          Times(Increasing(std::sinh, real), SinesOf(imaginary))};
}

ComplexReals ComplexSinh(std::span<const ComplexReals> x) {
  const auto& [real, imaginary] = x[0];
  if (MagnitudesOf(real).high > kLargestExponent) return {};
  return {Times(Increasing(std::sinh, real), CosinesOf(imaginary)),
          Times(HyperbolicCosinesOf(real), SinesOf(imaginary))};
}

ComplexReals ComplexTanh(std::span<const ComplexReals> x) {
  const std::array<ComplexReals, 2> parts = {ComplexSinh(x), ComplexCosh(x)};
  return ComplexQuotient(parts);
}

ComplexReals ComplexCosine(std::span<const ComplexReals> x) {
  const std::array<ComplexReals, 1> turned = {TimesI(x[0])};
  return ComplexCosh(turned);
}

ComplexReals ComplexSine(std::span<const ComplexReals> x) { return ByI(ComplexSinh, x[0]); }
ComplexReals ComplexTan(std::span<const ComplexReals> x) { return ByI(ComplexTanh, x[0]); }

ComplexReals ComplexRoot(std::span<const ComplexReals> x) {
  const Reals angles = AnglesOf(x[0][1], x[0][0]);
  return FromPolar(Increasing(std::sqrt, Modulus(x)[0]), {angles.low / 2, angles.high / 2, false});
}

ComplexReals ComplexReciprocalRoot(std::span<const ComplexReals> x) {
  const Reals root = Increasing(std::sqrt, Modulus(x)[0]), angles = AnglesOf(x[0][1], x[0][0]);
  if (!(root.low > 0)) return {};
  return FromPolar(Over(kOne, root), {-angles.high / 2, -angles.low / 2, false});
}

ComplexReals ComplexSign(std::span<const ComplexReals> x) {
  const Reals modulus = Modulus(x)[0];
  if (!(modulus.low > 0)) return {};
  return {Over(x[0][0], modulus), Over(x[0][1], modulus)};
}

ComplexReals Modulus(std::span<const ComplexReals> x) {
  const Reals real = MagnitudesOf(x[0][0]), imaginary = MagnitudesOf(x[0][1]);
  const Reals modulus = Outward({std::hypot(real.low, imaginary.low), std::hypot(real.high, imaginary.high), false});
  return {Reals{std::max(modulus.low, 0.0), modulus.high, false}, Reals::Point(0)};
}

}  // namespace assay
