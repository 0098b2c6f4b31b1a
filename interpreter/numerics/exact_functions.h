// The exact phase of functions, one element at a time: by MPFR, MPC or intervals. Apply (functions.h, complex.h) calls
// it for elements that an approximation does not decide.
#pragma once

#include <cstdint>

#include "interpreter/numerics/complex.h"
#include "interpreter/numerics/functions.h"
#include "interpreter/types/float_format.h"

namespace assay {

// Returns the bits of the function's value, rounded once. NaNs are those of the operands (NanOf in real.h).
std::uint64_t ExactBits(const RealUnary& function, const FloatFormat& format, double operand);
std::uint64_t ExactBits(const RealBinary& function, const FloatFormat& format, double lhs, double rhs);
ComplexBits ExactBits(const ComplexUnary& function, const FloatFormat& part, ComplexDouble operand);
ComplexBits ExactBits(const ComplexBinary& function, const FloatFormat& part, ComplexDouble lhs, ComplexDouble rhs);

}  // namespace assay
