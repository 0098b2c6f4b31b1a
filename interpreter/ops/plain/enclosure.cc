#include "interpreter/ops/plain/enclosure.h"

#include <algorithm>

#include "interpreter/numerics/mpfr_cache.h"

namespace assay::plain {
namespace {

Enclosure Everything(mpfr_prec_t precision) {
  Enclosure all(precision);
  mpfr_set_inf(all.low, -1);
  mpfr_set_inf(all.high, 1);
  return all;
}

Enclosure Nan(mpfr_prec_t precision) {
  Enclosure nan(precision);
  mpfr_set_nan(nan.low);
  mpfr_set_nan(nan.high);
  return nan;
}

bool IsNanEnclosure(const Enclosure& a) { return mpfr_nan_p(a.low) != 0; }

// Returns the least and the greatest value of `function` at the ends. `if_unknown` replaces infinity times zero and
// infinity by infinity, whose limits are between those of the other ends and this number.
Enclosure OfTheEnds(MpfrBinary function, const Enclosure& a, const Enclosure& b, double if_unknown) {
  Enclosure result(std::max(a.precision(), b.precision()));
  Enclosure corner = result;
  bool is_first = true;
  const auto or_unknown = [&](Float& end) {
    if (mpfr_nan_p(end)) mpfr_set_d(end, if_unknown, MPFR_RNDN);
  };
  for (const Float* x : {&a.low, &a.high}) {
    for (const Float* y : {&b.low, &b.high}) {
      function(corner.low, *x, *y, MPFR_RNDD);
      function(corner.high, *x, *y, MPFR_RNDU);
      or_unknown(corner.low);
      or_unknown(corner.high);
      if (is_first || mpfr_less_p(corner.low, result.low)) result.low = corner.low;
      if (is_first || mpfr_greater_p(corner.high, result.high)) result.high = corner.high;
      is_first = false;
    }
  }
  return result;
}

}  // namespace

Float::Float(mpfr_prec_t precision) {
  FreeMpfrCacheWithThread();
  mpfr_init2(value_, precision);
  mpfr_set_zero(value_, 1);
}

Float::Float(const Float& other) {
  mpfr_init2(value_, mpfr_get_prec(other.value_));
  mpfr_set(value_, other.value_, MPFR_RNDN);
}

Float& Float::operator=(const Float& other) {
  mpfr_set_prec(value_, mpfr_get_prec(other.value_));
  mpfr_set(value_, other.value_, MPFR_RNDN);
  return *this;
}

Enclosure operator-(const Enclosure& a) {
  Enclosure result(a.precision());
  mpfr_neg(result.low, a.high, MPFR_RNDN);
  mpfr_neg(result.high, a.low, MPFR_RNDN);
  return result;
}

Enclosure operator+(const Enclosure& a, const Enclosure& b) {
  if (IsNanEnclosure(a) || IsNanEnclosure(b)) return Nan(a.precision());
  Enclosure result(std::max(a.precision(), b.precision()));
  mpfr_add(result.low, a.low, b.low, MPFR_RNDD);
  mpfr_add(result.high, a.high, b.high, MPFR_RNDU);
  return mpfr_nan_p(result.low) || mpfr_nan_p(result.high) ? Everything(result.precision()) : result;
}

Enclosure operator*(const Enclosure& a, const Enclosure& b) {
  if (IsNanEnclosure(a) || IsNanEnclosure(b)) return Nan(a.precision());
  return OfTheEnds(mpfr_mul, a, b, 0);
}

Enclosure operator/(const Enclosure& a, const Enclosure& b) {
  if (IsNanEnclosure(a) || IsNanEnclosure(b)) return Nan(a.precision());
  if (b.low.Sign() * b.high.Sign() <= 0 && !b.IsExact()) {
    // The divisor is not zero but has one end at zero: the quotient has no bound, but a known sign.
    const bool is_positive = b.high.Sign() > 0 && b.low.Sign() >= 0;
    const bool is_negative = b.low.Sign() < 0 && b.high.Sign() <= 0;
    if (!is_positive && !is_negative) return Everything(a.precision());
    Enclosure divisor = b;
    mpfr_setsign(is_positive ? divisor.low : divisor.high, is_positive ? b.low : b.high, is_negative, MPFR_RNDN);
    return OfTheEnds(mpfr_div, a, divisor, 0);
  }
  return OfTheEnds(mpfr_div, a, b, 0);
}

Enclosure Apply(MpfrFunction function, Course course, const Enclosure& argument) {
  if (IsNanEnclosure(argument)) return argument;
  Enclosure result(argument.precision());
  const bool is_exact = argument.IsExact();
  const Float& first = course == Course::kDecreasing ? argument.high : argument.low;
  const Float& last = course == Course::kDecreasing ? argument.low : argument.high;
  if (!is_exact && course == Course::kOther) return Everything(argument.precision());
  function(result.low, first, MPFR_RNDD);
  function(result.high, is_exact || course != Course::kLipschitz ? last : first, MPFR_RNDU);
  if (!is_exact && course == Course::kLipschitz) {
    Float width(argument.precision());
    mpfr_sub(width, argument.high, argument.low, MPFR_RNDU);
    mpfr_sub(result.low, result.low, width, MPFR_RNDD);
    mpfr_add(result.high, result.high, width, MPFR_RNDU);
  }
  if (mpfr_nan_p(result.low) && mpfr_nan_p(result.high)) return result;
  // An end may be outside of the domain although the argument is inside.
  if (mpfr_nan_p(result.low)) mpfr_set_inf(result.low, -1);
  if (mpfr_nan_p(result.high)) mpfr_set_inf(result.high, 1);
  return result;
}

Enclosure Apply(MpfrBinary function, const Enclosure& a, const Enclosure& b) {
  if (IsNanEnclosure(a) || IsNanEnclosure(b) || (a.IsExact() && b.IsExact())) {
    Enclosure result(std::max(a.precision(), b.precision()));
    function(result.low, a.low, b.low, MPFR_RNDD);
    function(result.high, a.low, b.low, MPFR_RNDU);
    return result;
  }
  // A box that meets the negative real axis has every angle. The angles of other boxes are between those of the
  // corners.
  const bool meets_cut = b.low.Sign() <= 0 && a.low.Sign() * a.high.Sign() <= 0 && !a.IsZero();
  return function != mpfr_atan2 || meets_cut ? Everything(a.precision()) : OfTheEnds(function, a, b, 0);
}

}  // namespace assay::plain
