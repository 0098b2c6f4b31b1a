// Complex functions as formulas of their parts, for number types that track their own error: Ball for the quick phase,
// Interval for the exact one. They avoid cancellation if they can; otherwise the tracked error shows it. Finite
// operands.
#pragma once

#include <cmath>
#include <complex>

#include "interpreter/numerics/ball_functions.h"
#include "interpreter/numerics/interval.h"

namespace assay {

template <class Number>
struct Parts {
  Number real;
  Number imaginary;
};

inline SineAndCosine<Interval> SinCos(const Interval& x) { return {Sin(x), Cos(x)}; }

template <class Number>
Number SumOfSquares(const Number& a, const Number& b) {
  return Square(a) + Square(b);
}

template <class Number>
Parts<Number> ExpParts(const Number& a, const Number& b) {
  const auto [sine, cosine] = SinCos(b);
  const Number length = Exp(a);
  return {length * cosine, length * sine};
}

// e^a cos b - 1 = (e^a - 1) cos b - 2 sin^2(b/2): each term keeps its relative precision for small z.
template <class Number>
Parts<Number> Expm1Parts(const Number& a, const Number& b) {
  const auto [sine, cosine] = SinCos(b);
  return {Expm1(a) * cosine - Scaled(Square(Sin(Scaled(b, -1))), 1), Exp(a) * sine};
}

// log|1 + z| = log1p(a (a + 2) + b^2) / 2. Near -1 the logarithm of the small |1 + z|^2 itself is more accurate.
inline bool IsNearLog1pPole(std::complex<double> z) {
  return std::fabs(z.real() + 1) < 0.5 && std::fabs(z.imag()) < 0.5;
}

template <class Number>
Parts<Number> Log1pParts(const Number& a, const Number& b, bool is_near_pole) {
  const Number along = a + 1;
  const Number logarithm = is_near_pole ? Log(SumOfSquares(along, b)) : Log1p(a * (a + 2) + Square(b));
  return {Scaled(logarithm, -1), Atan2(b, along)};
}

// With E = e^-a, 1 / (1 + E e^-ib) = (1 + E cos b + i E sin b) / ((E - 1)^2 + 4 E cos^2(b/2)).
template <class Number>
Parts<Number> LogisticParts(const Number& a, const Number& b) {
  const auto [sine, cosine] = SinCos(b);
  const Number e = Exp(-a);
  const Number square = Square(Expm1(-a)) + Scaled(e * Square(Cos(Scaled(b, -1))), 2);
  return {(e * cosine + 1) / square, e * sine / square};
}

// sqrt(z) = u + iv for a, b >= 0, not both zero: u^2 = (|z| + a) / 2 and uv = b / 2.
template <class Number>
Parts<Number> SqrtOfQuadrant(const Number& a, const Number& b, const Number& length) {
  const Number greater = Sqrt(Scaled(length + a, -1));
  return {greater, Scaled(b / greater, -1)};
}

// Computes the principal root: the cube root of |z|, at a third of the angle.
template <class Number>
Parts<Number> CbrtParts(const Number& a, const Number& b) {
  const Number root = Cbrt(Sqrt(SumOfSquares(a, b)));
  const auto [sine, cosine] = SinCos(Atan2(b, a) / 3);
  return {root * cosine, root * sine};
}

template <class Number>
Parts<Number> SignParts(const Number& a, const Number& b) {
  const Number length = Sqrt(SumOfSquares(a, b));
  return {a / length, b / length};
}

}  // namespace assay
