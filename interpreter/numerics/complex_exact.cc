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

// With sinh and cosh of a and the sine and the cosine of b, computes
//   (sinh cosh + i sine cosine) / (cosine^2 + sinh^2),
// which has no cancellation.
ComplexBits ExactComplexTanh(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const Interval a(std::fabs(z.real()), precision), b(z.imag(), precision);
    const Interval expm1 = Expm1(a), inverse = Interval(1, precision) / (expm1 + 1);
    const Interval sinh = Scaled(expm1 + expm1 * inverse, -1);
    const Interval sine = Sin(b), cosine = Cos(b), divisor = Square(cosine) + Square(sinh);
    const Interval real = sinh * (sinh + inverse) / divisor;
    return IntervalPair{z.real() < 0 ? -real : real, sine * cosine / divisor};
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

namespace {

// Returns the exact value of x1 x2 + y1 y2, as an interval of enough precision to be a point.
Interval ExactProductSum(double x1, double x2, double y1, double y2, mpfr_prec_t precision) {
  return Interval(x1, precision) * Interval(x2, precision) + Interval(y1, precision) * Interval(y2, precision);
}

// True if w = p / s, with p = x + iy and s the principal root of x^2 + y^2, is the root of p / q with the non-negative
// real part; `half_angle` is that root's angle. Empty until the interval of an angle is narrow enough.
std::optional<bool> IsPrincipal(ComplexDouble y, ComplexDouble x, const Interval& angle_of_p,
                                const Interval& half_angle) {
  const Interval angle_of_s = angle_of_p - half_angle;
  const Interval cosine = Cos(angle_of_s);
  if (cosine.IsPositive()) return true;
  if (cosine.IsNegative()) return false;
  const Interval imaginary = ExactProductSum(x.real(), x.imag(), y.real(), y.imag(), kMostPrecision);
  if (!imaginary.IsZero()) return std::nullopt;
  // x^2 + y^2 is a negative real number, whose principal root is +i times a positive number.
  return Sin(angle_of_s).IsPositive();
}

}  // namespace

// Returns -i log(w), w = (x + iy) / sqrt(x^2 + y^2): the angle of w, minus i log|w|. With p = x + iy and q = x - iy, w
// is a square root of p / q = p conj(q) / |q|^2, and |p|^2 - |q|^2 = 4 Im(x conj(y)). Zeros count as +0.
ComplexBits ExactComplexAtan2(const FloatFormat& part, ComplexDouble y, ComplexDouble x) {
  const ComplexDouble iy(-y.imag(), y.real());
  if (x == iy || x == -iy) return BothNan(part);
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const auto exact = [&](double value) { return Interval(value, precision); };
    const Interval p_real = exact(x.real()) + exact(iy.real());
    const Interval p_imaginary = exact(x.imag()) + exact(iy.imag());
    const Interval p_square = SumOfSquares(p_real, p_imaginary);
    const Interval q_square = SumOfSquares(exact(x.real()) - exact(iy.real()), exact(x.imag()) - exact(iy.imag()));
    const Interval cross = ExactProductSum(x.imag(), y.real(), -x.real(), y.imag(), precision);
    const Interval ratio = Scaled(cross, 2) / (cross.IsNegative() ? p_square : q_square);
    const Interval logarithm = cross.IsZero() ? cross : Scaled(cross.IsNegative() ? Log1p(-ratio) : -Log1p(ratio), -2);

    const Interval dot = ExactProductSum(x.real(), x.real(), x.imag(), x.imag(), precision) -
                         ExactProductSum(y.real(), y.real(), y.imag(), y.imag(), precision);
    const Interval twice = Scaled(ExactProductSum(x.real(), y.real(), x.imag(), y.imag(), precision), 1);
    const Interval half_angle = Scaled(Atan2(twice, dot), -1);
    const auto principal = IsPrincipal(y, x, Atan2(p_imaginary, p_real), half_angle);
    const Interval pi = Interval::Pi(precision);
    if (principal == true) return IntervalPair{half_angle, logarithm};
    if (principal == false && half_angle.IsPositive()) return IntervalPair{half_angle - pi, logarithm};
    if (principal == false && (half_angle.IsNegative() || half_angle.IsZero())) {
      return IntervalPair{half_angle + pi, logarithm};
    }
    return IntervalPair{Hull(-pi, pi), logarithm};
  });
}

ComplexDouble SignsOfLog(ComplexDouble z) {
  const double a = z.real(), b = z.imag();
  const Interval square = SumOfSquares(Interval(a, kMostPrecision), Interval(b, kMostPrecision)) + -1.0;  // exact
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
