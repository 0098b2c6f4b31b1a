// Sums in MPFR at a precision that holds every product of two doubles and every such sum exactly. They are rounded by
// MPFR itself or by search, without the interpreter's Round.
#pragma once

#include <mpfr.h>

#include <limits>

#include "interpreter/numerics/round.h"
#include "spec_tests/numerics/rounding_reference.h"

namespace assay {

class SumOracle {
 public:
  SumOracle() {
    for (mpfr_ptr x : {sum_, term_}) mpfr_init2(x, 4400);
    mpfr_set_d(sum_, -0.0, MPFR_RNDN);
  }
  ~SumOracle() {
    for (mpfr_ptr x : {sum_, term_}) mpfr_clear(x);
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
  double RoundedTo(const FloatFormat& format) const {
    if (mpfr_nan_p(sum_)) return std::numeric_limits<double>::quiet_NaN();
    return format.has_infinity ? RoundedByMpfr(format, sum_) : ToDouble(format, NearestValue(format).Round(sum_));
  }

 private:
  mpfr_t sum_, term_;
  bool exact_ = true;
};

}  // namespace assay
