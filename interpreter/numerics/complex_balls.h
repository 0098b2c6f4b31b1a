// Both parts of complex functions as balls, for finite operands. The caller handles infinite and NaN parts, and the
// signs of zeros, first. docs/numerics.md#complex
#pragma once

#include <cmath>
#include <complex>

#include "interpreter/numerics/complex_formulas.h"

namespace assay {

using ComplexDouble = std::complex<double>;
using BallParts = Parts<Ball>;

inline Ball WithSign(const Ball& size, double sign) { return std::signbit(sign) ? -size : size; }

inline BallParts ComplexExp(ComplexDouble z) { return ExpParts<Ball>(z.real(), z.imag()); }
inline BallParts ComplexExpm1(ComplexDouble z) { return Expm1Parts<Ball>(z.real(), z.imag()); }
inline BallParts ComplexLog1p(ComplexDouble z) { return Log1pParts<Ball>(z.real(), z.imag(), IsNearLog1pPole(z)); }
inline BallParts ComplexLogistic(ComplexDouble z) { return LogisticParts<Ball>(z.real(), z.imag()); }
inline BallParts ComplexCbrt(ComplexDouble z) { return CbrtParts<Ball>(z.real(), z.imag()); }
inline BallParts ComplexSign(ComplexDouble z) { return SignParts<Ball>(z.real(), z.imag()); }

// Uses log|z| = log1p(|z|^2 - 1) / 2 if |z| is near 1.
inline BallParts ComplexLog(ComplexDouble z) {
  const Ball a = z.real();
  const Ball b = z.imag();
  const Ball square = SumOfSquares(a, b);
  const Ball logarithm = std::fabs(square.hi - 1) < 0.25 ? Log1p(Square(a) - 1 + Square(b)) : Log(square);
  return {Scaled(logarithm, -1), Atan2(b, a)};
}

inline BallParts ComplexSqrt(ComplexDouble z) {
  const Ball a = std::fabs(z.real());
  const Ball b = std::fabs(z.imag());
  const auto [greater, lesser] = SqrtOfQuadrant(a, b, Sqrt(SumOfSquares(a, b)));
  return z.real() < 0 ? BallParts{lesser, WithSign(greater, z.imag())} : BallParts{greater, WithSign(lesser, z.imag())};
}

inline BallParts ComplexRsqrt(ComplexDouble z) {
  const auto [real, imaginary] = ComplexSqrt(z);
  const Ball length = Sqrt(SumOfSquares<Ball>(z.real(), z.imag()));
  return {real / length, -imaginary / length};
}

inline BallParts ComplexSinh(ComplexDouble z) {
  const Ball sinh = assay::Sinh(z.real());
  const Ball cosh = assay::Cosh(z.real());
  const auto [sine, cosine] = SinCos(z.imag());
  return {sinh * cosine, cosh * sine};
}
inline BallParts ComplexCosh(ComplexDouble z) {
  const Ball sinh = assay::Sinh(z.real());
  const Ball cosh = assay::Cosh(z.real());
  const auto [sine, cosine] = SinCos(z.imag());
  return {cosh * cosine, sinh * sine};
}
// Returns (sinh a cosh a + i sin b cos b) / (sinh^2 a + cos^2 b)
inline BallParts ComplexTanh(ComplexDouble z) {
  const Ball sinh = assay::Sinh(z.real());
  const Ball cosh = assay::Cosh(z.real());
  const auto [sine, cosine] = SinCos(z.imag());
  const Ball square = SumOfSquares(sinh, cosine);
  return {sinh * cosh / square, sine * cosine / square};
}

// The common parts of asin, acos and their hyperbolic relatives, for x, y > 0 (Hull, Fairgrieve and Tang, "Implementing
// the complex arcsine and arccosine functions using exception handling", ACM TOMS 23, 1997). With r = |x + 1 + iy|, s =
// |x - 1 + iy| and A = (r + s) / 2: the angle asin(x / A) as its cosine and sine, and log(A + sqrt(A^2 - 1)). A - x and
// A - 1 are sums of positive terms, since r - (x + 1) = y^2 / (r + x + 1), and likewise for s.
struct ArcParts {
  Ball cosine;  // sqrt(A^2 - x^2): the angle is that of (cosine, x)
  Ball logarithm;
};
inline ArcParts ArcPartsOf(double x, double y) {
  const Ball right = Ball(x) + 1;
  const Ball left = x < 1 ? 1 - Ball(x) : Ball(x) - 1;
  const Ball square = Square(Ball(y));
  const Ball r = Sqrt(Square(right) + square);
  const Ball s = Sqrt(Square(left) + square);
  const Ball r_less = square / (r + right);
  const Ball s_less = square / (s + left);
  const Ball s_more = s + left;
  const Ball a = Scaled(r + s, -1);
  const Ball a_less_x = Scaled(r_less + (x < 1 ? s_more : s_less), -1);
  const Ball a_less_one = Scaled(r_less + (x < 1 ? s_less : s_more), -1);
  return {Sqrt(a_less_x * (a + x)), Log1p(a_less_one + Sqrt(a_less_one * (a + 1)))};
}

inline BallParts ComplexAsin(ComplexDouble z) {
  const auto [cosine, logarithm] = ArcPartsOf(std::fabs(z.real()), std::fabs(z.imag()));
  return {Atan2(z.real(), cosine), WithSign(logarithm, z.imag())};
}
inline BallParts ComplexAcos(ComplexDouble z) {
  const auto [cosine, logarithm] = ArcPartsOf(std::fabs(z.real()), std::fabs(z.imag()));
  return {Atan2(cosine, z.real()), WithSign(logarithm, -z.imag())};
}
// Returns acosh(z) = +-i acos(z), with the sign that makes the real part positive.
inline BallParts ComplexAcosh(ComplexDouble z) {
  const auto [cosine, logarithm] = ArcPartsOf(std::fabs(z.real()), std::fabs(z.imag()));
  return {logarithm, WithSign(Atan2(cosine, z.real()), z.imag())};
}

// Returns the angle of (1 - a^2 - b^2, 2a) / 2, and log1p(4b / (a^2 + (1 - b)^2)) / 4, for b > 0.
inline BallParts ComplexAtan(ComplexDouble z) {
  const Ball a = z.real();
  const Ball b = std::fabs(z.imag());
  const Ball across = Square(a) + Square(1 - b);
  const Ball angle = Atan2(Scaled(a, 1), (1 - b) * (1 + b) - Square(a));
  return {Scaled(angle, -1), WithSign(Scaled(Log1p(Scaled(b, 2) / across), -2), z.imag())};
}

// Returns -i f(iz): converts sinh to sin and so on, in either direction.
template <BallParts (*function)(ComplexDouble)>
BallParts Turned(ComplexDouble z) {
  const auto [real, imaginary] = function({-z.imag(), z.real()});
  return {imaginary, -real};
}
inline BallParts ComplexSin(ComplexDouble z) { return Turned<ComplexSinh>(z); }
inline BallParts ComplexTan(ComplexDouble z) { return Turned<ComplexTanh>(z); }
inline BallParts ComplexAsinh(ComplexDouble z) { return Turned<ComplexAsin>(z); }
inline BallParts ComplexAtanh(ComplexDouble z) { return Turned<ComplexAtan>(z); }
inline BallParts ComplexCos(ComplexDouble z) { return ComplexCosh({-z.imag(), z.real()}); }

inline BallParts ComplexProduct(ComplexDouble x, ComplexDouble y) {
  const Ball a = x.real();
  const Ball b = x.imag();
  return {a * y.real() - b * y.imag(), a * y.imag() + b * y.real()};
}
inline BallParts ComplexQuotient(ComplexDouble x, ComplexDouble y) {
  const Ball square = SumOfSquares<Ball>(y.real(), y.imag());
  const auto [real, imaginary] = ComplexProduct(x, std::conj(y));
  return {real / square, imaginary / square};
}

// Returns e^(w log z).
inline BallParts ComplexPower(ComplexDouble z, ComplexDouble w) {
  const auto [logarithm, angle] = ComplexLog(z);
  const Ball real = logarithm * w.real() - angle * w.imag();
  const Ball imaginary = logarithm * w.imag() + angle * w.real();
  return ExpParts(real, imaginary);
}

// Returns -i log(w), w = p / s, as in ExactComplexAtan2: with p = x + iy and q = x - iy, s is the principal root of x^2
// + y^2 = p q, and w a root of p / q. Half the angle of p / q is the angle of w if p over that root has a positive real
// part, as s has; otherwise w is the other root.
inline BallParts ComplexAtan2(ComplexDouble y, ComplexDouble x) {
  const Ball p_real = Ball(x.real()) - y.imag();
  const Ball p_imaginary = Ball(x.imag()) + y.real();
  const Ball p_square = SumOfSquares(p_real, p_imaginary);
  const Ball q_square = SumOfSquares(Ball(x.real()) + y.imag(), Ball(x.imag()) - y.real());
  const Ball cross = Ball(x.imag()) * y.real() - Ball(x.real()) * y.imag();
  const Ball logarithm = cross.hi < 0 ? Log1p(Scaled(-cross, 2) / p_square) : -Log1p(Scaled(cross, 2) / q_square);

  const Ball dot = SumOfSquares<Ball>(x.real(), x.imag()) - SumOfSquares<Ball>(y.real(), y.imag());
  const Ball twice = Scaled(Ball(x.real()) * y.real() + Ball(x.imag()) * y.imag(), 1);
  const Ball half_angle = Scaled(Atan2(twice, dot), -1);
  const Ball cosine = Cos(Atan2(p_imaginary, p_real) - half_angle);
  const Ball pi = BallTables::Get().pi;
  Ball angle = Ball::Unknown();
  if (cosine.IsPositive()) angle = half_angle;
  if ((-cosine).IsPositive() && half_angle.IsPositive()) angle = half_angle - pi;
  if ((-cosine).IsPositive() && (-half_angle).IsPositive()) angle = half_angle + pi;
  return {angle, Scaled(logarithm, -2)};
}

}  // namespace assay
