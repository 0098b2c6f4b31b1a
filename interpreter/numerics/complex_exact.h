// Complex functions that MPC lacks, and power, of which MPC leaves signs open, computed with intervals, for finite
// operands.
#pragma once

#include "interpreter/numerics/complex.h"
#include "interpreter/numerics/complex_formulas.h"
#include "interpreter/numerics/interval.h"

namespace assay {

// Enough precision for every sum of products of f64 numbers to be exact, so that full cancellation is an exact zero.
inline constexpr mpfr_prec_t kMostPrecision = 8192;

using IntervalPair = Parts<Interval>;

// Calls `compute` for intervals at rising precision until each part rounds to one number.
template <class Compute>
ComplexBits RoundAtAnyPrecision(const FloatFormat& format, Compute compute) {
  for (mpfr_prec_t precision = 96;; precision *= 2) {
    const IntervalPair value = compute(precision);
    const auto real = RoundedIfCertain(format, value.real);
    const auto imaginary = RoundedIfCertain(format, value.imaginary);
    if (real && imaginary) return {*real, *imaginary};
    if (precision < kMostPrecision) continue;
    return {real ? *real : RoundedTie(format, value.real),
            imaginary ? *imaginary : RoundedTie(format, value.imaginary)};
  }
}

ComplexBits ExactComplexExpm1(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexLog1p(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexLogistic(const FloatFormat& part, ComplexDouble z);
// MPC has these functions, but works at thousands of bits if a part is tiny. Neither part of z may be zero.
ComplexBits ExactComplexTanh(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexCosh(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexSinh(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexRsqrt(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexCbrt(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexSign(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexAtan2(const FloatFormat& part, ComplexDouble y, ComplexDouble x);
ComplexBits ExactComplexPower(const FloatFormat& part, ComplexDouble base, ComplexDouble exponent);

// Returns the signs of the parts of log z for a finite z other than zero: 1, -1, or the zero that the part is.
ComplexDouble SignsOfLog(ComplexDouble z);

}  // namespace assay
