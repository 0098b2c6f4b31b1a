#include "interpreter/numerics/complex_series.h"

#include <algorithm>
#include <cmath>

#include "interpreter/numerics/complex_exact.h"

namespace assay {
namespace {

constexpr double kNear = 0x1p-300, kFar = 0x1p300;
constexpr double kSlack = 0x1p-290;

Interval WithSlack(const Interval& value) {
  const Interval slack(kSlack, value.precision());
  return value + value * Hull(-slack, slack);
}

Interval WithSign(const Interval& size, double sign) { return std::signbit(sign) ? -size : size; }

// The inverse functions of x + iy for x, y > 0: acos is acos - i acosh, asin is asin + i acosh.
struct Inverse {
  Interval acos;
  Interval asin;
  Interval acosh;
};

// With r = sqrt(|x^2 - 1|) and q = y / r:
//   x < 1: acos x - iq                x > 1: q - i acosh x
//   x = 1: sqrt y - i sqrt y
Inverse InverseNearAxis(double x, double y, mpfr_prec_t precision) {
  const Interval major(x, precision);
  const Interval minor(y, precision);
  const Interval quarter = Scaled(Interval::Pi(precision), -1);
  if (x == 1) {
    const Interval root = WithSlack(Sqrt(minor));
    return {root, quarter - root, root};
  }
  const Interval beyond = x < 1 ? -(major + -1.0) : major + -1.0;
  const Interval root = Sqrt(beyond * (major + 1));
  const Interval quotient = WithSlack(minor / root);
  if (x < 1) return {WithSlack(Atan2(root, major)), WithSlack(Atan2(major, root)), quotient};
  return {quotient, quarter - quotient, WithSlack(Log1p(beyond + root))};
}

bool IsFar(double x, double y) { return std::max(std::fabs(x), std::fabs(y)) > kFar; }

// acosh z = log 2z - 1 / 4z^2 - ..., and asin is acos with the parts exchanged.
Inverse InverseFar(double x, double y, mpfr_prec_t precision) {
  const Interval a(x, precision), b(y, precision);
  const Interval square = Interval::SumOfProducts({{x, x}, {y, y}}, precision);
  return {WithSlack(Atan2(b, a)), WithSlack(Atan2(a, b)), WithSlack(Scaled(Log(Scaled(square, 2)), -1))};
}

Inverse InverseBySeries(double x, double y, mpfr_prec_t precision) {
  return IsFar(x, y) ? InverseFar(x, y, precision) : InverseNearAxis(x, y, precision);
}

}  // namespace

bool IsFarOrNearAxis(double major, double minor) {
  return major != 0 && minor != 0 && (std::fabs(minor) < kNear || IsFar(major, minor));
}

bool IsTiny(ComplexDouble z) { return std::fabs(z.real()) < kNear && std::fabs(z.imag()) < kNear; }

// acos(-z) = pi - acos(z), and acos of the conjugate is the conjugate.
ComplexBits AcosBySeries(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const auto [acos, asin, acosh] = InverseBySeries(std::fabs(z.real()), std::fabs(z.imag()), precision);
    const Interval real = z.real() < 0 ? Interval::Pi(precision) - acos : acos;
    return IntervalPair{real, WithSign(-acosh, z.imag())};
  });
}

// Computes +-i acos(z), with the sign that makes the real part positive.
ComplexBits AcoshBySeries(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const auto [acos, asin, acosh] = InverseBySeries(std::fabs(z.real()), std::fabs(z.imag()), precision);
    const Interval imaginary = z.real() < 0 ? Interval::Pi(precision) - acos : acos;
    return IntervalPair{acosh, WithSign(imaginary, z.imag())};
  });
}

ComplexBits AsinBySeries(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const auto [acos, asin, acosh] = InverseBySeries(std::fabs(z.real()), std::fabs(z.imag()), precision);
    return IntervalPair{WithSign(asin, z.real()), WithSign(acosh, z.imag())};
  });
}

// Computes i asin(-iz).
ComplexBits AsinhBySeries(const FloatFormat& part, ComplexDouble z) {
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const auto [acos, asin, acosh] = InverseBySeries(std::fabs(z.imag()), std::fabs(z.real()), precision);
    return IntervalPair{WithSign(acosh, z.real()), WithSign(asin, z.imag())};
  });
}

}  // namespace assay
