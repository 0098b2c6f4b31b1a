// Correctly rounded complex functions over whole arrays: each part is the exact part, rounded once. Special values
// follow C Annex G, or docs/numerics.md#complex for functions outside of Annex G.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>

#include "interpreter/numerics/complex_balls.h"
#include "interpreter/numerics/functions.h"
#include "interpreter/types/float_format.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// The bits of the real and the imaginary part.
using ComplexBits = std::array<std::uint64_t, 2>;

struct ComplexUnary {
  // For finite operands, passed as their parts.
  void (*enclose)(const double* in, BallParts* out, std::int64_t count);
  ComplexBits (*exact)(const FloatFormat& part, ComplexDouble operand);
  // For operands with an infinite or NaN part. Results are zeros, infinities, NaNs, and multiples of pi and of 1.
  ComplexDouble (*at_infinity)(ComplexDouble);
};

struct ComplexBinary {
  void (*enclose)(const double* lhs, const double* rhs, BallParts* out, std::int64_t count);
  ComplexBits (*exact)(const FloatFormat& part, ComplexDouble lhs, ComplexDouble rhs);
  ComplexDouble (*at_infinity)(ComplexDouble lhs, ComplexDouble rhs);
};

extern const ComplexUnary kComplexExp, kComplexExpm1, kComplexLog, kComplexLog1p, kComplexLogistic;
extern const ComplexUnary kComplexSqrt, kComplexRsqrt, kComplexCbrt, kComplexSign;
extern const ComplexUnary kComplexSin, kComplexCos, kComplexTan, kComplexAsin, kComplexAcos, kComplexAtan;
extern const ComplexUnary kComplexSinh, kComplexCosh, kComplexTanh, kComplexAsinh, kComplexAcosh, kComplexAtanh;
extern const ComplexBinary kComplexMultiply, kComplexDivide, kComplexPow, kComplexAtan2;

// Applies `function` to an array. `type` is c64 or c128. `out` may be one of the inputs.
void Apply(const ComplexUnary& function, PrimitiveType type, const std::byte* in, std::byte* out, std::int64_t count);
void Apply(const ComplexBinary& function, PrimitiveType type, const std::byte* lhs, const std::byte* rhs,
           std::byte* out, std::int64_t count);

// Returns the same values as Apply for kComplexMultiply and kComplexDivide, faster for c64. (Addition and subtraction
// are those of the real parts.)
void ComplexMultiply(PrimitiveType type, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                     std::int64_t count);
void ComplexDivide(PrimitiveType type, const std::byte* lhs, const std::byte* rhs, std::byte* out, std::int64_t count);

// |x + iy| of real numbers, and |z| of an array, with a real result of the component type.
extern const RealBinary kHypot;
void ComplexAbs(PrimitiveType type, const std::byte* in, std::byte* out, std::int64_t count);

}  // namespace assay
