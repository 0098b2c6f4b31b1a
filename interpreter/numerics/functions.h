// Correctly rounded real functions over whole arrays: the exact value, rounded once to the element type.
//
// Each function has a quick approximation with an error bound, and an exact form in MPFR. The approximation decides the
// result if both ends of its error interval round to the same number; otherwise MPFR does. The approximation is a
// double function, assay's or the C library's, whose bound is tested, or a ball, which proves its own:
// docs/numerics.md#functions.
#pragma once

#include <mpfr.h>

#include <cstddef>
#include <cstdint>

#include "interpreter/numerics/ball.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// Special values follow IEEE 754-2019 clause 9 and C Annex F, in all forms. Results do not overlap operands.
struct RealUnary {
  void (*approximate)(const double* in, double* out, std::int64_t count);  // for formats of up to 32 bits
  void (*enclose)(const double* in, Ball* out, std::int64_t count);        // for f64
  int (*exact)(mpfr_ptr result, mpfr_srcptr operand, mpfr_rnd_t mode);     // returns MPFR's ternary value
};

struct RealBinary {
  void (*enclose)(const double* lhs, const double* rhs, Ball* out, std::int64_t count);
  int (*exact)(mpfr_ptr result, mpfr_srcptr lhs, mpfr_srcptr rhs, mpfr_rnd_t mode);
};

extern const RealUnary kExp, kExpm1, kLog, kLog1p, kLogistic;
extern const RealUnary kSqrt, kRsqrt, kCbrt, kErf;
extern const RealUnary kSin, kCos, kTan, kAsin, kAcos, kAtan;
extern const RealUnary kSinh, kCosh, kTanh, kAsinh, kAcosh, kAtanh;
extern const RealBinary kPow, kAtan2;

// Applies `function` to an array of a floating type, one element every StorageBytes(type) bytes. `out` may be one of
// the inputs.
void Apply(const RealUnary& function, PrimitiveType type, const std::byte* in, std::byte* out, std::int64_t count);
void Apply(const RealBinary& function, PrimitiveType type, const std::byte* lhs, const std::byte* rhs, std::byte* out,
           std::int64_t count);

}  // namespace assay
