// A number in MPFR that holds any sum of products of two doubles: the oracle of tests of exact sums.
#pragma once

#include <mpfr.h>

#include "interpreter/types/primitive_type.h"
#include "spec_tests/catch.h"

namespace assay::testing {

class ExactNumber {
 public:
  ExactNumber() {
    mpfr_init2(value_, kBits);
    mpfr_set_zero(value_, -1);  // the neutral element
  }
  ~ExactNumber() { mpfr_clear(value_); }
  ExactNumber(const ExactNumber&) = delete;
  ExactNumber& operator=(const ExactNumber&) = delete;

  void Add(double term) { mpfr_add_d(value_, value_, term, MPFR_RNDN); }
  void AddProduct(double a, double b) {
    mpfr_t product;
    mpfr_init2(product, kBits);
    mpfr_set_d(product, a, MPFR_RNDN);
    mpfr_mul_d(product, product, b, MPFR_RNDN);
    mpfr_add(value_, value_, product, MPFR_RNDN);
    mpfr_clear(product);
  }

  // Rounds once, for types with IEEE 754's exponent rules.
  double RoundTo(PrimitiveType type) const {
    struct Format {
      int precision, least_exponent, greatest_exponent;
    };
    const Format format = type == F16    ? Format{11, -23, 16}
                          : type == BF16 ? Format{8, -132, 128}
                          : type == F32  ? Format{24, -148, 128}
                                         : Format{53, -1073, 1024};
    REQUIRE((type == F16 || type == BF16 || type == F32 || type == F64));
    const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t rounded;
    mpfr_init2(rounded, format.precision);
    int ternary = mpfr_set(rounded, value_, MPFR_RNDN);
    mpfr_set_emin(format.least_exponent);
    mpfr_set_emax(format.greatest_exponent);
    ternary = mpfr_check_range(rounded, ternary, MPFR_RNDN);
    mpfr_subnormalize(rounded, ternary, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    const double result = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_clear(rounded);
    return result;
  }

 private:
  static constexpr int kBits = 4400;
  mpfr_t value_;
};

}  // namespace assay::testing
