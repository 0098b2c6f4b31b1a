// Two MPFR numbers around a third: every operation rounds the lower end down and the upper end up.
#pragma once

#include <mpfr.h>

#include <array>

namespace assay::plain {

// An MPFR number that is copied and destroyed.
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

// An infinite end of a finite number says that MPFR has no exponent for it. Both ends are NaN, or neither is. Equal
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

// How the values of a function lie when its argument is between two numbers.
enum class Course {
  kIncreasing,
  kDecreasing,
  kLipschitz,  // no two values differ by more than their arguments
  kOther,      // no bounds are known: the argument must be exact
};

Enclosure Apply(MpfrFunction function, Course course, const Enclosure& argument);
// Of exact arguments, or for the angle of a point (mpfr_atan2) of any.
Enclosure Apply(MpfrBinary function, const Enclosure& a, const Enclosure& b);

}  // namespace assay::plain
