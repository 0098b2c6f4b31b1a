// Sums in MPFR at a precision that holds every product of two doubles and every such sum exactly. They are rounded by
// MPFR itself or by search, without the interpreter's Round.
#pragma once

#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "interpreter/numerics/round.h"

namespace assay {

class SumOracle {
 public:
  SumOracle() {
    for (mpfr_ptr x : {sum_, term_, difference_}) mpfr_init2(x, 4400);
    mpfr_set_d(sum_, -0.0, MPFR_RNDN);
  }
  ~SumOracle() {
    for (mpfr_ptr x : {sum_, term_, difference_}) mpfr_clear(x);
  }
  SumOracle(const SumOracle&) = delete;
  SumOracle& operator=(const SumOracle&) = delete;

  void Add(double term) { AddProduct(term, 1); }
  void AddProduct(double a, double b) {
    mpfr_set_d(term_, a, MPFR_RNDN);
    mpfr_mul_d(term_, term_, b, MPFR_RNDN);
    exact_ = mpfr_add(sum_, sum_, term_, MPFR_RNDN) == 0 && exact_;
  }
  // False if the precision was too low, which would invalidate the oracle.
  bool exact() const { return exact_; }

  // Returns the rounded sum as a double; NaN if the sum is NaN.
  double RoundedTo(const FloatFormat& format) {
    if (mpfr_nan_p(sum_)) return std::numeric_limits<double>::quiet_NaN();
    if (mpfr_inf_p(sum_) || mpfr_zero_p(sum_)) {
      return ToDouble(format, RoundDouble(format, mpfr_get_d(sum_, MPFR_RNDN)));
    }
    return format.has_infinity ? ByMpfr(format) : BySearch(format);
  }

 private:
  // Rounds by MPFR's emulation of IEEE formats: a range of exponents, and a second rounding that accounts for the
  // first.
  double ByMpfr(const FloatFormat& format) {
    const mpfr_exp_t least = mpfr_get_emin(), greatest = mpfr_get_emax();
    mpfr_t rounded;
    mpfr_init2(rounded, format.precision());
    mpfr_set_emin(format.min_exponent() - format.mantissa_bits + 1);
    mpfr_set_emax(format.bias + 1);
    const int ternary = mpfr_check_range(rounded, mpfr_set(rounded, sum_, MPFR_RNDN), MPFR_RNDN);
    mpfr_subnormalize(rounded, ternary, MPFR_RNDN);
    const double result = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_set_emin(least);
    mpfr_set_emax(greatest);
    mpfr_clear(rounded);
    return result;
  }

  // Rounds by search: the nearest of all codes, the even one of two. Beyond the last midpoint the format overflows.
  double BySearch(const FloatFormat& format) {
    const bool negative = mpfr_signbit(sum_) != 0;
    if (!format.has_sign && negative) return std::numeric_limits<double>::quiet_NaN();
    const double greatest = ToDouble(format, format.max_finite_bits());
    const double step = greatest - ToDouble(format, format.max_finite_bits() - 1);
    mpfr_abs(difference_, sum_, MPFR_RNDN);
    const int beyond = mpfr_cmp_d(difference_, greatest + step / 2);
    const bool odd = (format.max_finite_bits() & 1) != 0;
    if (format.nan != NanEncoding::kNone && (beyond > 0 || (beyond == 0 && odd))) {
      return ToDouble(format, format.overflow_bits(negative));
    }
    std::uint64_t best = 0;
    for (std::uint64_t code = 1; code <= format.max_finite_bits(); ++code) {
      const int side = CompareDistances(ToDouble(format, code), ToDouble(format, best));
      if (side < 0 || (side == 0 && code % 2 == 0)) best = code;
    }
    const double magnitude = ToDouble(format, best);
    return negative && (magnitude != 0 || format.has_negative_zero) ? -magnitude : magnitude;
  }

  // Compares the distance of |sum| from a with its distance from b.
  int CompareDistances(double a, double b) {
    mpfr_abs(term_, sum_, MPFR_RNDN);
    mpfr_sub_d(difference_, term_, a, MPFR_RNDN);
    mpfr_sub_d(term_, term_, b, MPFR_RNDN);
    return mpfr_cmpabs(difference_, term_);
  }

  mpfr_t sum_, term_, difference_;
  bool exact_ = true;
};

// True if both have equal bits, or both are NaN.
inline bool SameValue(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace assay
