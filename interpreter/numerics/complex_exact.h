// Complex functions that MPC lacks, by intervals; finite operands.
#pragma once

#include "interpreter/numerics/complex.h"

namespace assay {

ComplexBits ExactComplexExpm1(const FloatFormat& part, Complex z);
ComplexBits ExactComplexLog1p(const FloatFormat& part, Complex z);
ComplexBits ExactComplexLogistic(const FloatFormat& part, Complex z);
ComplexBits ExactComplexRsqrt(const FloatFormat& part, Complex z);
ComplexBits ExactComplexCbrt(const FloatFormat& part, Complex z);
ComplexBits ExactComplexSign(const FloatFormat& part, Complex z);
ComplexBits ExactComplexAtan2(const FloatFormat& part, Complex y, Complex x);

}  // namespace assay
