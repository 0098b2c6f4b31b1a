// An interval of two MPFR numbers. Every operation rounds the lower end down and the upper end up.
#pragma once

#include <mpfr.h>

#include <array>

namespace assay::plain {

// An MPFR number with value semantics.
class Float {
 public:
  explicit Float(mpfr_prec_t precision);
  Float(const Float& other);
  Float& operator=(const Float& other);
  ~Float() { mpfr_clear(value_); }

  // -1, 0 or 1.
  int Sign() const { return mpfr_sgn(value_); }
  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

 private:
  mpfr_t value_;
};

// An interval. An infinite end of a finite number is beyond MPFR's exponents. Both ends are NaN, or neither is. Equal
// ends are the number itself.
struct Enclosure {
  explicit Enclosure(mpfr_prec_t precision) : low(precision), high(precision) {}

  mpfr_prec_t precision() const { return mpfr_get_prec(low); }
  bool IsExact() const { return mpfr_nan_p(low) || mpfr_equal_p(low, high); }
  bool IsZero() const { return mpfr_zero_p(low) && mpfr_zero_p(high); }

  Float low, high;
};

Enclosure operator-(const Enclosure& a);
Enclosure operator+(const Enclosure& a, const Enclosure& b);
Enclosure operator*(const Enclosure& a, const Enclosure& b);
Enclosure operator/(const Enclosure& a, const Enclosure& b);

using MpfrFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using MpfrBinary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

// The shape of a function between the ends of its argument.
enum class Course {
  kIncreasing,
  kDecreasing,
  kLipschitz,  // two values differ by no more than their arguments
  kOther,      // no bounds are known; the argument must be exact
};

Enclosure Apply(MpfrFunction function, Course course, const Enclosure& argument);
// Applies a function to exact arguments; mpfr_atan2, the angle of a point, to any arguments.
Enclosure Apply(MpfrBinary function, const Enclosure& a, const Enclosure& b);

}  // namespace assay::plain
