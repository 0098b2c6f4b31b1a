// Intervals that contain the represented number, at any precision: MPFR rounds each end outwards. Functions that MPFR
// and MPC lack are composed of these operations, at rising precision until both ends round alike.
#pragma once

#include <mpfr.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "interpreter/types/float_format.h"

namespace assay {

class Interval {
 public:
  Interval(double value, mpfr_prec_t precision);
  Interval(const Interval& other);
  Interval& operator=(const Interval& other);
  ~Interval();

  struct Product {
    double x, y;
  };
  // Returns x1 y1 + x2 y2 + ..., with one rounding: full cancellation is +0, and the sign of any other sum is certain.
  static Interval SumOfProducts(std::initializer_list<Product> products, mpfr_prec_t precision);
  static Interval Pi(mpfr_prec_t precision);
  // Returns the cosine and the sine of k / n turns, exact if the magnitude is 0, 1/2 or 1. n > 0.
  static Interval CosineOfTurns(std::int64_t k, std::int64_t n, mpfr_prec_t precision);
  static Interval SineOfTurns(std::int64_t k, std::int64_t n, mpfr_prec_t precision);

  mpfr_prec_t precision() const { return mpfr_get_prec(low_); }
  mpfr_srcptr low() const { return low_; }
  mpfr_srcptr high() const { return high_; }
  bool IsZero() const { return mpfr_zero_p(low_) && mpfr_zero_p(high_); }
  bool IsPositive() const { return mpfr_sgn(low_) > 0; }
  bool IsNegative() const { return mpfr_sgn(high_) < 0; }
  bool IsNonNegative() const { return mpfr_sgn(low_) >= 0; }

  friend Interval operator-(const Interval& a);
  // An exact zero from cancellation is +0.
  friend Interval operator+(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a, const Interval& b);
  friend Interval operator*(const Interval& a, const Interval& b);
  // Requires b >= 0 and b not the point 0; an end of b may be 0.
  friend Interval operator/(const Interval& a, const Interval& b);

  friend Interval operator+(const Interval& a, double b) { return a + Interval(b, a.precision()); }
  // Requires a positive divisor.
  friend Interval operator/(const Interval& a, double b) { return a / Interval(b, a.precision()); }

  friend Interval Square(const Interval& a);
  friend Interval Sqrt(const Interval& a);
  friend Interval Cbrt(const Interval& a);
  friend Interval Exp(const Interval& a);
  friend Interval Expm1(const Interval& a);
  friend Interval Log(const Interval& a);
  friend Interval Log1p(const Interval& a);
  friend Interval Sin(const Interval& a);
  friend Interval Cos(const Interval& a);
  // The box should not cross the negative real axis; otherwise the result is the whole range of angles.
  friend Interval Atan2(const Interval& y, const Interval& x);
  // Returns a * 2^exponent, exact.
  friend Interval Scaled(const Interval& a, int exponent);
  // Returns the smallest interval that contains both.
  friend Interval Hull(const Interval& a, const Interval& b);

 private:
  explicit Interval(mpfr_prec_t precision);

  using Function = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  static Interval Increasing(Function function, const Interval& a);
  static Interval Lipschitz(Function function, const Interval& a);
  using FunctionOfTurns = int (*)(mpfr_ptr, mpfr_srcptr, unsigned long, mpfr_rnd_t);
  static Interval OfTurns(FunctionOfTurns function, std::int64_t k, std::int64_t n, mpfr_prec_t precision);
  void ClearZeroSign();

  mpfr_t low_;
  mpfr_t high_;
  // The limbs of low precisions: MPFR allocates those of other numbers.
  static constexpr mpfr_prec_t kOwnPrecision = 192;
  std::array<std::array<mp_limb_t, kOwnPrecision / GMP_NUMB_BITS>, 2> limbs_;
};

// Returns the bits that every number of the interval rounds to, if all round to one pattern.
std::optional<std::uint64_t> RoundedIfCertain(const FloatFormat& format, const Interval& value);
// Returns the bits of a number that no interval decides, however narrow: it can only be zero, or halfway between two
// numbers of the format.
std::uint64_t RoundedTie(const FloatFormat& format, const Interval& value);

}  // namespace assay
