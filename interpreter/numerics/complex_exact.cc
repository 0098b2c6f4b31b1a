#include "interpreter/numerics/complex_exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "interpreter/numerics/complex_formulas.h"
#include "interpreter/numerics/interval.h"
#include "interpreter/numerics/round.h"

namespace assay {
namespace {

// The exponential of any larger magnitude overflows every format or is below every last place; MPFR can still represent
// it.
constexpr double kFarExponent = 10000;

ComplexBits BothNan(const FloatFormat& format) { return {format.nan_bits(false), format.nan_bits(false)}; }

double ExponentArgument(double value) { return std::clamp(value, -kFarExponent, kFarExponent); }

// Does the same for a number in an interval. No part of a complex number of modulus 1 that doubles determine is so
// small, except zero, that it makes up for such an exponential.
Interval ExponentArgument(const Interval& value) {
  const Interval far(kFarExponent, value.precision());
  if ((value - far).IsPositive()) return far;
  if ((value + far).IsNegative()) return -far;
  const bool is_near = (value + far).IsNonNegative() && (far - value).IsNonNegative();
  return is_near ? value : Hull(-far, far);
}

}  // namespace

ComplexBits ExactComplexExpm1(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const Interval a(ExponentArgument(z.real()), precision);
    const Interval b(z.imag(), precision);
    return z.imag() == 0 ? IntervalPair{Expm1(a), Exp(a) * b} : Expm1Parts(a, b);
  });
}

ComplexBits ExactComplexLog1p(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const Interval a(z.real(), precision);
    const Interval b(z.imag(), precision);
    if (z.imag() == 0 && z.real() >= -1) return IntervalPair{Log1p(a), Atan2(b, a + 1)};
    return Log1pParts(a, b, IsNearLog1pPole(z));
  });
}

ComplexBits ExactComplexLogistic(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const Interval a(ExponentArgument(z.real()), precision);
    const Interval b(z.imag(), precision);
    if (z.imag() != 0) return LogisticParts(a, b);
    const Interval sum = Exp(-a) + 1;
    return IntervalPair{Interval(1, precision) / sum, Exp(-a) * b / Square(sum)};
  });
}

namespace {

struct Hyperbolic {
  Interval sinh, cosh;
};

// By e^|x| - 1, so that nothing cancels for small x.
Hyperbolic SinhCosh(double x, mpfr_prec_t precision) {
  const Interval expm1 = Expm1(Interval(std::min(std::fabs(x), kFarExponent), precision)), exp = expm1 + 1;
  const Interval inverse = Interval(1, precision) / exp, sinh = Scaled(expm1 + expm1 * inverse, -1);
  return {x < 0 ? -sinh : sinh, Scaled(exp + inverse, -1)};
}

}  // namespace

// With sinh and cosh of a and the sine and the cosine of b, computes
//   (sinh cosh + i sine cosine) / (cosine^2 + sinh^2),
// which has no cancellation.
ComplexBits ExactComplexTanh(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const auto [sinh, cosh] = SinhCosh(z.real(), precision);
    const Interval b(z.imag(), precision), sine = Sin(b), cosine = Cos(b), divisor = Square(cosine) + Square(sinh);
    return IntervalPair{sinh * cosh / divisor, sine * cosine / divisor};
  });
}

ComplexBits ExactComplexCosh(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const auto [sinh, cosh] = SinhCosh(z.real(), precision);
    const Interval b(z.imag(), precision);
    return IntervalPair{cosh * Cos(b), sinh * Sin(b)};
  });
}

ComplexBits ExactComplexSinh(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const auto [sinh, cosh] = SinhCosh(z.real(), precision);
    const Interval b(z.imag(), precision);
    return IntervalPair{sinh * Cos(b), cosh * Sin(b)};
  });
}

// Computes the conjugate of the root over |z|. For a < 0 the parts of the root are swapped.
ComplexBits ExactComplexRsqrt(const FloatFormat& part, ComplexDouble z) {
  if (z == 0.0) return {part.overflow_bits(false), part.nan_bits(false)};
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const Interval a(std::fabs(z.real()), precision);
    const Interval b(std::fabs(z.imag()), precision);
    const Interval length = Sqrt(SumOfSquares(a, b));
    const auto [greater, lesser] = SqrtOfQuadrant(a, b, length);
    const bool left = std::signbit(z.real()) && z.real() != 0;
    const Interval imaginary = (left ? greater : lesser) / length;
    return IntervalPair{(left ? lesser : greater) / length, std::signbit(z.imag()) ? imaginary : -imaginary};
  });
}

ComplexBits ExactComplexCbrt(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    return CbrtParts(Interval(z.real(), precision), Interval(z.imag(), precision));
  });
}

ComplexBits ExactComplexSign(const FloatFormat& part, ComplexDouble z) {
  if (z == 0.0) return {RoundDouble(part, z.real()), RoundDouble(part, z.imag())};
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    return SignParts(Interval(z.real(), precision), Interval(z.imag(), precision));
  });
}

// Returns -i log(w), w = (x + iy) / sqrt(x^2 + y^2): the angle of w, minus i log|w|. With p = x + iy and q = x - iy, w
// is a square root of p / q = p conj(q) / |q|^2, and |p|^2 - |q|^2 = 4 Im(x conj(y)). Zeros count as +0.
ComplexBits ExactComplexAtan2(const FloatFormat& part, ComplexDouble y, ComplexDouble x) {
  const double a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  const ComplexDouble iy(-d, c);
  if (x == iy || x == -iy) return BothNan(part);
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const auto sum = [&](std::initializer_list<Interval::Product> terms) {
      return Interval::SumOfProducts(terms, precision);
    };
    const Interval p_real = sum({{a, 1}, {-d, 1}}), p_imaginary = sum({{b, 1}, {c, 1}});
    const Interval q_real = sum({{a, 1}, {d, 1}}), q_imaginary = sum({{b, 1}, {-c, 1}});
    const Interval cross = sum({{b, c}, {-a, d}});
    const Interval ratio =
        Scaled(cross, 2) / (cross.IsNegative() ? SumOfSquares(p_real, p_imaginary) : SumOfSquares(q_real, q_imaginary));
    const Interval logarithm = cross.IsZero() ? cross : Scaled(cross.IsNegative() ? Log1p(-ratio) : -Log1p(ratio), -2);

    // The angle of w is half that of p conj(q), or the opposite one: the difference of the angles of p and of the root
    // is one of the two, up to whole turns.
    const Interval half_angle =
        Scaled(Atan2(Scaled(sum({{a, c}, {b, d}}), 1), sum({{a, a}, {b, b}, {-c, c}, {-d, d}})), -1);
    const Interval angle_of_root =
        Scaled(Atan2(Scaled(sum({{a, b}, {c, d}}), 1), sum({{a, a}, {-b, b}, {c, c}, {-d, d}})), -1);
    const bool is_half = Cos(Atan2(p_imaginary, p_real) - angle_of_root - half_angle).IsPositive();
    if (is_half) return IntervalPair{half_angle, logarithm};
    const Interval pi = Interval::Pi(precision);
    return IntervalPair{half_angle.IsPositive() ? half_angle - pi : half_angle + pi, logarithm};
  });
}

ComplexDouble SignsOfLog(ComplexDouble z) {
  const double a = z.real(), b = z.imag();
  const Interval square = Interval::SumOfProducts({{a, a}, {b, b}, {-1, 1}}, 53);  // minus 1
  const double length = square.IsZero() ? 0 : square.IsPositive() ? 1 : -1;
  return {length, b == 0 && a > 0 ? b : std::copysign(1.0, b)};
}

namespace {

// The parts of e^(iv) that are exactly zero, for v = c angle + d log|z| with z = a + bi and w = c + di.
struct ZeroParts {
  bool cosine = false;
  std::optional<double> sine;  // with its sign
};

// v is a multiple of pi / 2 only if d log|z| is zero and the angle is a multiple of pi / 4: e^pi is transcendental, and
// so are the tangents of rational multiples of pi but for 0, 1, -1 and infinity. A part is +0 unless v is -0.
ZeroParts ZeroPartsOfPower(ComplexDouble z, ComplexDouble w) {
  const ComplexDouble log = SignsOfLog(z);
  const double c = w.real(), angle = c * log.imag(), growth = w.imag() * log.real();
  if (growth != 0) return {};
  if (angle == 0) return {.sine = angle + growth};
  const double a = std::fabs(z.real()), b = std::fabs(z.imag());
  if (a != b && a != 0 && b != 0) return {};
  const double eighths = b == 0 ? 4 : a == 0 ? 2 : 1;  // of a turn: v is an odd number of times c * eighths
  const double rest = std::fabs(std::fmod(c, 4 / eighths)) * eighths;
  return {.cosine = rest == 2, .sine = rest == 0 ? std::optional(0.0) : std::nullopt};
}

}  // namespace

// Computes e^(w log z); z^0 = 1^w = 1, and 0^w is 0 or undefined.
ComplexBits ExactComplexPower(const FloatFormat& part, ComplexDouble z, ComplexDouble w) {
  if (w == 0.0 || z == 1.0) return {RoundDouble(part, 1), RoundDouble(part, 0)};
  if (z == 0.0) return w.real() > 0 ? ComplexBits{RoundDouble(part, 0), RoundDouble(part, 0)} : BothNan(part);
  const ZeroParts zeros = ZeroPartsOfPower(z, w);
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const Interval a(z.real(), precision), b(z.imag(), precision), c(w.real(), precision), d(w.imag(), precision);
    const Interval length = Scaled(Log(SumOfSquares(a, b)), -1), angle = Atan2(b, a);
    const Interval exponential = Exp(ExponentArgument(c * length - d * angle)), v = c * angle + d * length;
    return IntervalPair{zeros.cosine ? Interval(0, precision) : exponential * Cos(v),
                        zeros.sine ? Interval(*zeros.sine, precision) : exponential * Sin(v)};
  });
}

}  // namespace assay
