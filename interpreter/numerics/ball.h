// Ball arithmetic: a number known as the unevaluated sum of two doubles, plus or minus a radius. Every operation adds
// its own error to the radius, so a result carries a proof of its accuracy: cancellation shows as a large radius.
//
// The operations are those of Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic" (ACM TOMS 44, 2017), with a fused multiply-add. Their relative errors, with u = 2^-53: sum
// 3u^2 (algorithm 6), product 5u^2 (algorithm 12), product with a double 2u^2 (algorithm 9). The comments below derive
// those of quotient and square root. The radius grows by 32u^2 for each of them.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "interpreter/numerics/double_word.h"

namespace assay {

// A number with |number - (hi + lo)| <= radius; hi is hi + lo rounded to nearest. Non-finite parts mean that nothing is
// known; no operation makes them finite again. No function here branches, so loops over balls vectorize.
struct Ball {
  Ball() = default;
  Ball(double exact) : hi(exact) {}  // NOLINT: every double is a ball
  Ball(double high, double low, double error) : hi(high), lo(low), radius(error) {}

  static Ball Unknown() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan, nan};
  }
  bool IsPositive() const { return hi > 2 * radius; }
  bool IsZero() const { return hi == 0 && lo == 0 && radius == 0; }

  double hi = 0;
  double lo = 0;
  double radius = 0;
};

inline Ball Select(bool condition, const Ball& a, const Ball& b) {
  return {condition ? a.hi : b.hi, condition ? a.lo : b.lo, condition ? a.radius : b.radius};
}
inline Ball KnownIf(bool is_known, const Ball& a) {
  return {a.hi, a.lo, is_known ? a.radius : std::numeric_limits<double>::quiet_NaN()};
}

// A number below 2^51 in magnitude, rounded to an integer.
struct Whole {
  double value;
  std::int64_t integer;
};
inline constexpr double kWholePlace = 0x1.8p52;  // a double of this size has its last bit at the ones
// Rounds to the nearest integer. The result is unspecified for magnitudes of 2^51 and more.
inline Whole Nearest(double number) {
  const double shifted = number + kWholePlace;
  const std::uint64_t integer = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(kWholePlace);
  return {shifted - kWholePlace, static_cast<std::int64_t>(integer)};
}
inline double ToDouble(std::int64_t small) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(small) + std::bit_cast<std::uint64_t>(kWholePlace)) -
         kWholePlace;
}

inline constexpr double kBallError = 0x1p-101;
// An upper bound on the underflow of the multiplications of one operation, each at most 2^-1074.
inline constexpr double kBallUnderflow = 0x1p-1070;

// Returns an upper bound of a sum of a few non-negative terms, from the rounded sum.
inline double RoundedUp(double error) { return error * (1 + 0x1p-48) + kBallUnderflow; }

inline Ball operator-(const Ball& a) { return {-a.hi, -a.lo, a.radius}; }

inline Ball operator+(const Ball& a, const Ball& b) {
  const DoubleWord high = TwoSum(a.hi, b.hi);
  const DoubleWord low = TwoSum(a.lo, b.lo);
  const DoubleWord sum = FastTwoSum(high.hi, high.lo + low.hi);
  const DoubleWord result = FastTwoSum(sum.hi, low.lo + sum.lo);
  return {result.hi, result.lo, RoundedUp(a.radius + b.radius + std::fabs(result.hi) * kBallError)};
}
inline Ball operator-(const Ball& a, const Ball& b) { return a + -b; }

inline Ball operator*(const Ball& a, const Ball& b) {
  const DoubleWord high = TwoProduct(a.hi, b.hi);
  const double low = std::fma(a.lo, b.hi, std::fma(a.hi, b.lo, a.lo * b.lo));
  const DoubleWord result = FastTwoSum(high.hi, high.lo + low);
  const double from_operands = std::fabs(a.hi) * b.radius + a.radius * (std::fabs(b.hi) + b.radius);
  return {result.hi, result.lo, RoundedUp(from_operands + std::fabs(result.hi) * kBallError)};
}
inline Ball operator*(const Ball& a, double b) {
  const DoubleWord high = TwoProduct(a.hi, b);
  const DoubleWord result = FastTwoSum(high.hi, std::fma(a.lo, b, high.lo));
  return {result.hi, result.lo, RoundedUp(a.radius * std::fabs(b) + std::fabs(result.hi) * kBallError)};
}
inline Ball operator*(double a, const Ball& b) { return b * a; }
inline Ball Square(const Ball& a) { return a * a; }

// Takes a and b as exact; q = a.hi / b.hi rounded: the remainder a - q b is at most 5u |a|. Its error is 9u^2 |a|: 2u^2
// from the product, none from the difference of the high parts (Sterbenz), 2u^2 from that of the low ones, 5u^2 from
// their sum. Dividing the remainder by b.hi instead of b, and rounding, each add 5u^2 |a / b|: 19u^2 together. The
// radii: |a' / b' - a / b| <= (|a' - a| + |a / b| |b' - b|) / |b'|.
inline Ball operator/(const Ball& a, const Ball& b) {
  const double quotient = a.hi / b.hi;
  const DoubleWord product = TwoProduct(b.hi, quotient);
  const DoubleWord whole = FastTwoSum(product.hi, std::fma(b.lo, quotient, product.lo));
  const double remainder = (a.hi - whole.hi) + (a.lo - whole.lo);
  const DoubleWord result = FastTwoSum(quotient, remainder / b.hi);
  const double least_divisor = std::fabs(b.hi) * (1 - 0x1p-50) - b.radius;
  const double from_operands = (a.radius + std::fabs(result.hi) * b.radius + kBallUnderflow) / least_divisor;
  return KnownIf(least_divisor > 0,
                 {result.hi, result.lo, RoundedUp(from_operands + std::fabs(result.hi) * kBallError)});
}

// With s = sqrt(a.hi) rounded and d = a - s^2, |d| <= 4u a: sqrt(a) = s + d / 2s - e, where e <= d^2 / 8s^3 (1 + 4u) is
// at most 2u^2 s. d is rounded once, to 4u^2 a, and so is the quotient: 2u^2 s each, 6u^2 together. The radius:
// |sqrt(a') - sqrt(a)| <= |a' - a| / sqrt(a).
inline Ball Sqrt(const Ball& a) {
  const double root = std::sqrt(a.hi);
  const double difference = std::fma(-root, root, a.hi) + a.lo;
  const DoubleWord result = FastTwoSum(root, difference / (2 * root));
  return KnownIf(a.IsPositive(),
                 {result.hi, result.lo, RoundedUp((a.radius + kBallUnderflow) / root + result.hi * kBallError)});
}

// Returns a * 2^exponent: exact unless it underflows. |exponent| <= 2000.
inline Ball Scaled(const Ball& a, std::int64_t exponent) {
  const auto power = [](std::int64_t n) { return std::bit_cast<double>((1023 + n) << 52); };
  const std::int64_t half = exponent >> 1;
  const double first = power(half);
  const double second = power(exponent - half);
  return {a.hi * first * second, a.lo * first * second, RoundedUp(a.radius * first * second)};
}

inline Ball Widened(const Ball& a, double error) { return {a.hi, a.lo, RoundedUp(a.radius + error)}; }
// Returns the magnitude if all numbers of the ball have one sign; otherwise a or -a.
inline Ball Abs(const Ball& a) { return Select(a.hi < 0, -a, a); }

// Returns the f64 number that every number of the ball rounds to, if it is neither zero nor infinite; otherwise NaN.
// The extra 2^-52 |lo| covers the rounding of lo -+ error.
inline double RoundedToF64(const Ball& a) {
  const double error = a.radius * (1 + 0x1p-50) + std::fabs(a.lo) * 0x1p-52;
  const double lower = a.hi + (a.lo - error);
  const double upper = a.hi + (a.lo + error);
  const bool certain = lower == upper && lower != 0 && std::isfinite(lower);
  return certain ? lower : std::numeric_limits<double>::quiet_NaN();
}

// Doubles that enclose the ball, slightly wider: |hi| 2^-51 covers the rounding of hi -+ error.
struct Ends {
  double lower;
  double upper;
};
inline Ends EndsOf(const Ball& a) {
  const double error = (a.radius + std::fabs(a.lo)) * (1 + 0x1p-50) + std::fabs(a.hi) * 0x1p-51;
  return {a.hi - error, a.hi + error};
}

// A power series for |x| <= limit: its first coefficients are balls, the following ones doubles. `later` bounds the
// coefficients left out.
template <int kBalls, int kDoubles>
class Series {
 public:
  Series() = default;
  // `coefficient(n)` returns the n-th coefficient.
  template <class Coefficient>
  Series(double limit, double later, Coefficient coefficient) : limit_(limit) {
    for (int n = 0; n < kBalls; ++n) balls_[n] = coefficient(n);
    double sum = 0;
    double power = 1;
    for (int n = 0; n < kDoubles; ++n, power *= limit) {
      doubles_[n] = coefficient(kBalls + n).hi;
      sum += std::fabs(doubles_[n]) * power;
      if (n + 1 < kDoubles) slope_ += (n + 1) * std::fabs(coefficient(kBalls + n + 1).hi) * power;
    }
    // Horner's rule of n steps, each rounded once, with coefficients rounded once, has an error of at most (n + 1)u of
    // the sum of magnitudes (Higham, "Accuracy and stability of numerical algorithms", section 5.1). Doubled for the
    // rounding here.
    error_ = 2 * (kDoubles + 1) * 0x1p-53 * sum + 2 * later * power / (1 - limit);
    slope_ *= 2;
  }

  Ball operator()(const Ball& x) const {
    const double distance = std::fabs(x.lo) + x.radius;
    double tail = doubles_[kDoubles - 1];
#pragma GCC unroll 16
    for (int n = kDoubles - 2; n >= 0; --n) tail = std::fma(tail, x.hi, doubles_[n]);
    Ball value(tail, 0, RoundedUp(error_ + slope_ * distance));
#pragma GCC unroll 16
    for (int n = kBalls - 1; n >= 0; --n) value = value * x + balls_[n];
    return KnownIf(std::fabs(x.hi) + distance <= limit_, value);
  }

 private:
  std::array<Ball, kBalls> balls_;
  std::array<double, kDoubles> doubles_ = {};
  double limit_ = 0;
  double slope_ = 0;
  double error_ = 0;
};

}  // namespace assay
