// Functions of balls, for the quick phases of f64 and of the complex functions. An argument outside the domain of a
// function here returns Ball::Unknown(); the caller then uses MPFR. docs/numerics.md#balls derives each step.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "interpreter/numerics/ball.h"
#include "interpreter/numerics/ball_tables.h"

namespace assay {

template <class Number>
struct SineAndCosine {
  Number sine;
  Number cosine;
};

// x = index * ln(2) / 256 + rest.
struct ExponentParts {
  std::int64_t index;
  Ball rest;
};

inline ExponentParts ReduceExponent(const Ball& x) {
  const BallTables& tables = BallTables::Get();
  const Whole index = Nearest(x.hi * tables.steps_per_ln2);
  return {index.integer, x - tables.ln2_step * index.value};
}

// Returns 2^(index / 256) (1 + expm1).
inline Ball ScaledPower(std::int64_t index, const Ball& expm1) {
  const Ball& power = BallTables::Get().power[index & (BallTables::kPowers - 1)];
  return Scaled(power + power * expm1, index >> 8);
}

// e^800 exceeds every double; e^-800 is below half of the least positive double.
inline constexpr double kMostExponent = 800;

inline Ball Exp(const Ball& x) {
  const bool is_moderate = std::fabs(x.hi) < kMostExponent;
  const ExponentParts parts = ReduceExponent(Select(is_moderate, x, 0));
  const Ball value = ScaledPower(parts.index, parts.rest * BallTables::Get().expm1_over_x(parts.rest));
  return Select(x.hi + x.radius < -kMostExponent, {0, 0, 0x1p-1074}, KnownIf(is_moderate, value));
}

inline Ball Expm1(const Ball& x) {
  const bool is_moderate = std::fabs(x.hi) < kMostExponent;
  const ExponentParts parts = ReduceExponent(Select(is_moderate, x, 0));
  const Ball expm1 = parts.rest * BallTables::Get().expm1_over_x(parts.rest);
  const Ball value = Select(parts.index == 0, expm1, ScaledPower(parts.index, expm1) - 1);
  return Select(x.hi + x.radius < -kMostExponent, {-1, 0, 0x1p-1074}, KnownIf(is_moderate, value));
}

// x = 2^e m with m near 1, c about 1 / m from the table: log(x) = e log(2) - log(c) + log1p(m c - 1). If c = 1, the
// product is skipped and the result has a small error relative to m - 1.
inline Ball Log(const Ball& number) {
  const bool is_good = number.IsPositive() & (number.hi >= 0x1p-1000) & (number.hi <= 0x1p1000);
  const Ball x = Select(is_good, number, 1);
  const BallTables& tables = BallTables::Get();
  const auto bits = std::bit_cast<std::uint64_t>(x.hi);
  // The fraction of sqrt(2) is 0x6a09e...: from there on the exponent is one more, so m is between sqrt(1/2) and
  // sqrt(2).
  const auto exponent = static_cast<std::int64_t>((bits + 0x95f6200000000) >> 52) - 1023;
  const Ball m = Scaled(x, -exponent);
  const std::int64_t index = Nearest(m.hi * BallTables::kReciprocals).integer;
  const BallTables::Reciprocal& near = tables.reciprocal[index - BallTables::kFirstReciprocal];
  const Ball z = Select(near.value == 1, m, m * near.value) - 1;
  return KnownIf(is_good, z * tables.log1p_over_x(z) + (near.negative_log + tables.ln2 * ToDouble(exponent)));
}

inline Ball Log1p(const Ball& x) {
  return Select(std::fabs(x.hi) < 0.0029, x * BallTables::Get().log1p_over_x(x), Log(x + 1));
}

// x = index * 2 pi / 512 + rest, the index modulo 512.
struct AngleParts {
  std::int64_t index;
  Ball rest;
};

// Reduces an angle of more than 2^27 (Payne and Hanek, 1983). |x| = m 2^e: the turns m 2^e / 2 pi keep their fraction
// without the places of 1 / 2 pi before the e-th, which add whole turns. 256 places after it determine the fraction to
// m 2^-256.
inline AngleParts ReduceLargeAngle(double x) {
  const BallTables& tables = BallTables::Get();
  const auto bits = std::bit_cast<std::uint64_t>(std::fabs(x));
  const std::uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;
  const int place = static_cast<int>(bits >> 52) - 1075;
  // Four words of places, least significant first, times m; the carry out of the top word is whole turns.
  std::array<std::uint64_t, 4> turns;
  std::uint64_t carry = 0;
  for (int i = 3; i >= 0; --i) {
    const int at = place + 64 * i;
    const auto word = [&](int n) { return n < 0 ? 0 : tables.turns_per_radian[n]; };
    const int first = at >> 6;
    const int shift = at & 63;
    const std::uint64_t window = shift == 0 ? word(first) : word(first) << shift | word(first + 1) >> (64 - shift);
    const auto product = static_cast<unsigned __int128>(window) * m + carry;
    turns[3 - i] = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
  // The nearest of 512 parts of a turn, then the remainder, from -1/2 to 1/2 of a part.
  const auto index = static_cast<std::int64_t>((turns[3] + (std::uint64_t{1} << 54)) >> 55);
  turns[3] -= static_cast<std::uint64_t>(index) << 55;
  const bool negative = turns[3] >> 63 != 0;
  // In parts of 1/512, the omitted places and the error of ~ are less than 2^-193.
  Ball part(0, 0, 0x1p-190);
  double unit = 0x1p-247;
  for (const std::uint64_t word : turns) {
    const std::uint64_t places = negative ? ~word : word;
    part = part + static_cast<double>(places & 0xffffffff) * unit;
    part = part + static_cast<double>(places >> 32) * (unit * 0x1p32);
    unit *= 0x1p64;
  }
  const Ball size = part * (tables.step_low + tables.step_middle + tables.step_high);
  const Ball rest = negative ? -size : size;
  return x < 0 ? AngleParts{-index, -rest} : AngleParts{index, rest};
}

// Cody and Waite's reduction: each product except the last is exact; each difference is exact to 2^-101 of itself.
inline Ball RestOfAngle(const Ball& x, double index) {
  const BallTables& tables = BallTables::Get();
  const DoubleWord high = TwoProduct(index, tables.step_high);
  const DoubleWord middle = TwoProduct(index, tables.step_middle);
  return x - Ball(high.hi, high.lo, 0) - Ball(middle.hi, middle.lo, 0) - tables.step_low * index;
}

inline SineAndCosine<Ball> SinCosOfParts(std::int64_t index, const Ball& rest) {
  const BallTables& tables = BallTables::Get();
  const Ball square = rest * rest;
  const Ball sine = rest * tables.sine_over_x(square);
  const Ball cosine = tables.cosine(square);
  const Ball& table_sine = tables.sine[index & (BallTables::kAngles - 1)];
  const Ball& table_cosine = tables.sine[(index + BallTables::kAngles / 4) & (BallTables::kAngles - 1)];
  return {table_sine * cosine + table_cosine * sine, table_cosine * cosine - table_sine * sine};
}

// True for the angles in the domain of RestOfAngle; SinCosOfModerate returns unknown balls for others.
inline bool IsModerateAngle(double x) { return std::fabs(x) <= 0x1p27; }
inline SineAndCosine<Ball> SinCosOfModerate(const Ball& x) {
  const bool is_moderate = IsModerateAngle(x.hi);
  const Ball angle = Select(is_moderate, x, 0);
  const Whole index = Nearest(angle.hi * BallTables::Get().steps_per_radian);
  return SinCosOfParts(index.integer, KnownIf(is_moderate, RestOfAngle(angle, index.value)));
}

inline SineAndCosine<Ball> SinCos(const Ball& x) {
  const bool is_exact = x.lo == 0 && x.radius == 0 && std::isfinite(x.hi);
  if (IsModerateAngle(x.hi) || !is_exact) return SinCosOfModerate(x);
  const AngleParts parts = ReduceLargeAngle(x.hi);
  return SinCosOfParts(parts.index, parts.rest);
}

inline Ball Sin(const Ball& x) { return SinCos(x).sine; }
inline Ball Cos(const Ball& x) { return SinCos(x).cosine; }
inline Ball TanOf(const SineAndCosine<Ball>& parts) { return parts.sine / parts.cosine; }
inline Ball Tan(const Ball& x) { return TanOf(SinCos(x)); }

// Returns atan(x) for 0 <= x <= 1: atan(x) = atan(c) + atan((x - c) / (1 + x c)) with c from the table.
inline Ball AtanOfFraction(const Ball& fraction) {
  const bool is_good = (fraction.hi >= 0) & (fraction.hi < 1.001);
  const Ball x = Select(is_good, fraction, 0);
  const BallTables& tables = BallTables::Get();
  const Whole index = Nearest(x.hi * BallTables::kTangents);
  const double c = index.value / BallTables::kTangents;
  const Ball rest = Select(index.integer == 0, x, (x - c) / (x * c + 1));
  return KnownIf(is_good, rest * tables.arctan_over_x(rest * rest) + tables.arctan[index.integer]);
}

// Returns the angle of (x, y), from -pi to pi. Neither may be zero.
inline Ball Atan2(const Ball& y, const Ball& x) {
  const BallTables& tables = BallTables::Get();
  const Ball height = Abs(y);
  const Ball width = Abs(x);
  const bool is_steep = height.hi > width.hi;
  const Ball flat = AtanOfFraction(Select(is_steep, width, height) / Select(is_steep, height, width));
  const Ball right = Select(is_steep, tables.half_pi - flat, flat);
  const Ball upper = Select(x.hi < 0, tables.pi - right, right);
  return KnownIf(height.IsPositive() & width.IsPositive(), Select(y.hi < 0, -upper, upper));
}

inline Ball Atan(const Ball& x) { return Atan2(x, 1); }

inline Ball Asin(const Ball& x) { return Atan2(x, Sqrt((1 - x) * (1 + x))); }
inline Ball Acos(const Ball& x) { return Atan2(Sqrt((1 - x) * (1 + x)), x); }

// One step of Newton's method from any approximation: with d = (x - r^3) / r^3, the root is r (1 + d)^(1/3) = r (1 + d
// / 3 - e), where Taylor's e is at most d^2 / 9 (1 - |d|)^(-5/3) <= d^2 / 8.
inline Ball Cbrt(const Ball& x) {
  const double root = std::cbrt(x.hi);
  const Ball cube = Square(Ball(root)) * root;
  const Ball d = (x - cube) / cube;
  const double size = std::fabs(d.hi) + d.radius;
  return KnownIf((std::fabs(x.hi) >= 0x1p-900) & (size < 0x1p-20),
                 Widened(root + root * (d / 3), std::fabs(root) * (size * size / 7)));
}

inline Ball Erf(double x) {
  const double size = std::fabs(x);
  // 1 - erf(6) < e^-36 / (6 sqrt(pi)) < 2^-55
  const bool is_moderate = size < BallTables::kErrorFunctionEnd;
  const double near = is_moderate ? size : 0;
  const Whole index = Nearest(near * BallTables::kErrorFunctions);
  const double rest = near - index.value / BallTables::kErrorFunctions;  // exact: Sterbenz, or the subtrahend is zero
  const Ball series = BallTables::Get().error_function[index.integer](rest);
  const Ball value = Select(index.integer == 0, series * x, Select(x < 0, -series, series));
  return Select(size >= BallTables::kErrorFunctionEnd, {std::copysign(1.0, x), 0, 0x1p-55},
                KnownIf(is_moderate, value));
}

inline Ball Rsqrt(const Ball& x) { return 1 / Sqrt(x); }
inline Ball Logistic(const Ball& x) { return 1 / (Exp(-x) + 1); }

// Uses t = e^|x| - 1, which keeps its relative precision near zero.
inline Ball Sinh(const Ball& x) {
  const Ball t = Expm1(Abs(x));
  const Ball value = Scaled(t + t / (t + 1), -1);
  return Select(x.hi < 0, -value, value);
}
inline Ball Cosh(const Ball& x) {
  const Ball power = Exp(Abs(x));
  return Scaled(power + 1 / power, -1);
}
inline Ball Tanh(const Ball& x) {
  // 1 - tanh(40) = 2 / (e^80 + 1) < 2^-114
  const Ball t = Expm1(Scaled(Abs(x), 1));
  const Ball value = Select(std::fabs(x.hi) - x.radius > 41, {1, 0, 0x1p-110}, t / (t + 2));
  return Select(x.hi < 0, -value, value);
}

// Beyond this, x^2 + 1 and x^2 - 1 equal x^2 to 2^-120, so asinh and acosh are log(2x).
inline constexpr double kFarHyperbolic = 0x1p60;

inline Ball Asinh(const Ball& x) {
  const Ball size = Abs(x);
  const Ball square = size * size;
  const Ball value = Select(size.hi > kFarHyperbolic, Widened(Log(size) + BallTables::Get().ln2, 0x1p-119),
                            Log1p(size + square / (Sqrt(square + 1) + 1)));
  return Select(x.hi < 0, -value, value);
}
inline Ball Acosh(const Ball& x) {
  const Ball more = x - 1;
  return Select(x.hi > kFarHyperbolic, Widened(Log(x) + BallTables::Get().ln2, 0x1p-119),
                Log1p(more + Sqrt(more * (x + 1))));
}
inline Ball Atanh(const Ball& x) {
  const Ball size = Abs(x);
  const Ball value = Scaled(Log1p(Scaled(size, 1) / (1 - size)), -1);
  return Select(x.hi < 0, -value, value);
}

// Returns |x|^y, negated if x is negative and y an odd integer.
inline Ball Pow(double x, double y) {
  const Ball magnitude = Exp(assay::Log(std::fabs(x)) * y);
  const Whole whole = Nearest(y);
  const bool is_whole = (whole.value == y) & (std::fabs(y) < 0x1p51);
  const bool is_even = Nearest(y / 2).value == y / 2;
  return KnownIf((x > 0) | is_whole, Select((x > 0) | is_even, magnitude, -magnitude));
}

}  // namespace assay
