// Complex functions that MPC lacks, by intervals; finite operands.
#pragma once

#include "interpreter/numerics/complex.h"

namespace assay {

ComplexBits ExactComplexExpm1(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexLog1p(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexLogistic(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexRsqrt(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexCbrt(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexSign(const FloatFormat& part, ComplexDouble z);
ComplexBits ExactComplexAtan2(const FloatFormat& part, ComplexDouble y, ComplexDouble x);

}  // namespace assay
