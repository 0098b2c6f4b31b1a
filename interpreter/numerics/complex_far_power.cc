#include "interpreter/numerics/complex_far_power.h"

#include <cmath>

#include "interpreter/numerics/complex_exact.h"

namespace assay {
namespace {

// Returns an approximation of log |base^exponent|, scaled by 2^-20, or 0 if rounding errors may hide its sign.
double ScaledLogOfMagnitude(ComplexDouble base, ComplexDouble exponent) {
  constexpr double kScale = 0x1p-20;  // keeps the products finite
  constexpr double kError = 0x1p-40;  // more than the relative error of the logarithm and the products
  const ComplexDouble log = std::log(base);
  const double by_real = exponent.real() * kScale * log.real();
  const double by_imaginary = exponent.imag() * kScale * log.imag();
  const double difference = by_real - by_imaginary;
  return std::fabs(difference) > kError * (std::fabs(by_real) + std::fabs(by_imaginary)) ? difference : 0;
}

// Returns k for a number on an axis or a diagonal, with the argument k pi / 4.
std::optional<int> OctantOf(ComplexDouble z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return x > 0 ? 0 : 4;
  if (x == 0) return y > 0 ? 2 : -2;
  if (std::fabs(x) != std::fabs(y)) return std::nullopt;
  return (x > 0 ? 1 : 3) * (y > 0 ? 1 : -1);
}

// Returns -1, 0 or 1: the sign of |z| - 1, for a number on an axis or a diagonal.
int CompareWithOne(ComplexDouble z) {
  const double largest = std::fmax(std::fabs(z.real()), std::fabs(z.imag()));
  const bool is_diagonal = z.real() != 0 && z.imag() != 0;
  const double excess = is_diagonal ? std::fma(largest, largest, -0.5) : largest - 1;
  return excess > 0 ? 1 : excess < 0 ? -1 : 0;
}

}  // namespace

bool IsFarPower(ComplexDouble base, ComplexDouble exponent) {
  return std::fabs(ScaledLogOfMagnitude(base, exponent)) > 1;
}

// The argument of z^(u + iv) is v log |z| + u arg z. By the theorem of Gelfond and Schneider it is a multiple of pi / 2
// only if the first term is zero, and then, for numbers of the format, only if arg z is a multiple of pi / 4.
std::optional<Power> SmallerPowerOnAxis(ComplexDouble base, ComplexDouble exponent) {
  const std::optional<int> octant = OctantOf(base);
  if (!octant) return std::nullopt;
  const int size = CompareWithOne(base);
  if (exponent.imag() != 0 && size != 0) return std::nullopt;
  // Eight octants are a turn. The product is exact: the exponent is large, so the remainder has few bits.
  const double remainder = std::fmod(exponent.real(), 8);
  if (std::fmod(remainder * *octant, 2) != 0) return std::nullopt;
  constexpr double kFar = 0x1p14;  // beyond every format with the magnitudes below, and a multiple of eight
  const auto to_unit = [](double x) { return x == 0 ? x : std::copysign(1.0, x); };
  const double magnitude = size > 0 ? 2 : size < 0 ? 0.5 : 1;
  const auto far = [&](double x) { return x == 0 ? x : std::copysign(kFar, x); };
  return Power{{magnitude * to_unit(base.real()), magnitude * to_unit(base.imag())},
               {far(exponent.real()) + remainder, far(exponent.imag())}};
}

ComplexBits FarPower(const FloatFormat& part, ComplexDouble base, ComplexDouble exponent) {
  const int far = ScaledLogOfMagnitude(base, exponent) > 0 ? 1 << 20 : -(1 << 20);
  return RoundAtAnyPrecision(part, [&](mpfr_prec_t precision) {
    const Interval x(base.real(), precision), y(base.imag(), precision);
    const Interval log = Scaled(Log(Square(x) + Square(y)), -1);
    const Interval angle =
        Interval(exponent.imag(), precision) * log + Interval(exponent.real(), precision) * Atan2(y, x);
    return IntervalPair{Scaled(Cos(angle), far), Scaled(Sin(angle), far)};
  });
}

}  // namespace assay
