// The real functions: forms for the C library, for balls, and for MPFR.

#include <algorithm>
#include <cmath>

#include "interpreter/numerics/approximations.h"
#include "interpreter/numerics/ball_functions.h"
#include "interpreter/numerics/functions.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

// Computes logistic(x) for very small and very large |x|: 1, 1/2 or the exponential, minus a part too small for
// `result` to represent.
int LogisticAtTheEnds(mpfr_ptr result, mpfr_srcptr operand, mpfr_rnd_t mode) {
  const int sign = mpfr_sgn(operand);
  if (mpfr_zero_p(operand)) return mpfr_set_ui_2exp(result, 1, -1, mode);
  if (mpfr_regular_p(operand) && mpfr_get_exp(operand) < 0) {
    mpfr_set_ui_2exp(result, 1, -1, mode);
    return -sign;
  }
  if (sign < 0) return mpfr_exp(result, operand, mode);
  mpfr_set_ui(result, 1, mode);
  return mpfr_inf_p(operand) ? 0 : 1;
}

// Computes 1 / (1 + e^-x), always rounded to nearest. Transcendental for every x but 0, so the loop ends.
int ExactLogistic(mpfr_ptr result, mpfr_srcptr operand, mpfr_rnd_t mode) {
  const mpfr_prec_t wanted = mpfr_get_prec(result);
  if (mpfr_nan_p(operand)) {
    mpfr_set_nan(result);
    return 0;
  }
  const bool small = mpfr_zero_p(operand) || (mpfr_number_p(operand) && mpfr_get_exp(operand) < -wanted - 2);
  // e^-2000 underflows every format; for x > 2000, e^-x is below every last place.
  const bool large = mpfr_inf_p(operand) || mpfr_cmpabs_ui(operand, 2000) > 0;
  if (small || large) return LogisticAtTheEnds(result, operand, mode);
  mpfr_t value;
  mpfr_init2(value, wanted);
  for (mpfr_prec_t precision = wanted + 32;; precision *= 2) {
    mpfr_set_prec(value, precision);
    mpfr_neg(value, operand, MPFR_RNDN);
    mpfr_exp(value, value, MPFR_RNDN);
    mpfr_add_ui(value, value, 1, MPFR_RNDN);
    mpfr_ui_div(value, 1, value, MPFR_RNDN);
    // Four roundings of half a place each, none magnified: rounding to `wanted` bits must not depend on the last three
    // bits.
    if (mpfr_can_round(value, precision - 3, MPFR_RNDN, MPFR_RNDZ, wanted + 1)) break;
  }
  const int ternary = mpfr_set(result, value, mode);
  mpfr_clear(value);
  return ternary;
}

int ExactRsqrt(mpfr_ptr result, mpfr_srcptr operand, mpfr_rnd_t mode) {
  const int ternary = mpfr_rec_sqrt(result, operand, mode);
  // IEEE 754: rSqrt(-0) is -infinity; MPFR returns +infinity.
  if (mpfr_zero_p(operand)) mpfr_setsign(result, result, mpfr_signbit(operand), mode);
  return ternary;
}

// Assigns out[i] = ball, an expression of i, for i below count. The parts of the balls are stored in separate unaliased
// arrays, so the loop vectorizes if the expression has neither branches nor calls.
#define ASSAY_ENCLOSE_BLOCKS(ball)                                                   \
  constexpr std::int64_t kBlock = 64;                                                \
  double hi[kBlock], lo[kBlock], radius[kBlock];                                     \
  for (std::int64_t start = 0; start < count; start += kBlock) {                     \
    const std::int64_t n = std::min(kBlock, count - start);                          \
    for (std::int64_t j = 0; j < n; ++j) {                                           \
      const std::int64_t i = start + j;                                              \
      const Ball value = ball;                                                       \
      hi[j] = value.hi;                                                              \
      lo[j] = value.lo;                                                              \
      radius[j] = value.radius;                                                      \
    }                                                                                \
    for (std::int64_t j = 0; j < n; ++j) out[start + j] = {hi[j], lo[j], radius[j]}; \
  }

// One loop for each function, so that the dispatch on the instruction set happens once per block.
#define ASSAY_ENCLOSE(name)                                                               \
  ASSAY_BALL_CLONES void Enclose##name(const double* in, Ball* out, std::int64_t count) { \
    ASSAY_ENCLOSE_BLOCKS(name(in[i]));                                                    \
  }
ASSAY_ENCLOSE(Exp)
ASSAY_ENCLOSE(Expm1)
ASSAY_ENCLOSE(Log)
ASSAY_ENCLOSE(Log1p)
ASSAY_ENCLOSE(Logistic)
ASSAY_ENCLOSE(Sqrt)
ASSAY_ENCLOSE(Rsqrt)
ASSAY_ENCLOSE(Cbrt)
ASSAY_ENCLOSE(Erf)
ASSAY_ENCLOSE(Asin)
ASSAY_ENCLOSE(Acos)
ASSAY_ENCLOSE(Atan)
ASSAY_ENCLOSE(Sinh)
ASSAY_ENCLOSE(Cosh)
ASSAY_ENCLOSE(Tanh)
ASSAY_ENCLOSE(Asinh)
ASSAY_ENCLOSE(Acosh)
ASSAY_ENCLOSE(Atanh)
#undef ASSAY_ENCLOSE

// Large angles need multi-word integers and are computed one at a time.
#define ASSAY_ENCLOSE_ANGLES(name, of_moderate)                                           \
  ASSAY_BALL_CLONES void Enclose##name(const double* in, Ball* out, std::int64_t count) { \
    ASSAY_ENCLOSE_BLOCKS(of_moderate);                                                    \
    for (std::int64_t i = 0; i < count; ++i) {                                            \
      if (!IsModerateAngle(in[i])) out[i] = name(in[i]);                                  \
    }                                                                                     \
  }
ASSAY_ENCLOSE_ANGLES(Sin, SinCosOfModerate(in[i]).sine)
ASSAY_ENCLOSE_ANGLES(Cos, SinCosOfModerate(in[i]).cosine)
ASSAY_ENCLOSE_ANGLES(Tan, TanOf(SinCosOfModerate(in[i])))
#undef ASSAY_ENCLOSE_ANGLES

ASSAY_BALL_CLONES void EnclosePow(const double* lhs, const double* rhs, Ball* out, std::int64_t count) {
  ASSAY_ENCLOSE_BLOCKS(Pow(lhs[i], rhs[i]));
}
ASSAY_BALL_CLONES void EncloseAtan2(const double* lhs, const double* rhs, Ball* out, std::int64_t count) {
  ASSAY_ENCLOSE_BLOCKS(Atan2(lhs[i], rhs[i]));
}
#undef ASSAY_ENCLOSE_BLOCKS

double LibraryLogistic(double x) { return 1 / (1 + std::exp(-x)); }

// Approximations by vectors, and by the C library for numbers outside their domain.
#define ASSAY_APPROXIMATE(name, library)                                                               \
  ASSAY_BALL_CLONES bool Vectors##name(const double* in, double* __restrict out, std::int64_t count) { \
    std::int64_t outside = 0;                                                                          \
    for (std::int64_t i = 0; i < count; ++i) {                                                         \
      out[i] = approximations::name(in[i]);                                                            \
      outside |= approximations::HasExponential(in[i]) ? 0 : 1;                                        \
    }                                                                                                  \
    return outside == 0;                                                                               \
  }                                                                                                    \
  void Approximate##name(const double* in, double* out, std::int64_t count) {                          \
    if (Vectors##name(in, out, count)) return;                                                         \
    for (std::int64_t i = 0; i < count; ++i) {                                                         \
      if (!approximations::HasExponential(in[i])) out[i] = library(in[i]);                             \
    }                                                                                                  \
  }
ASSAY_APPROXIMATE(Exp, std::exp)
ASSAY_APPROXIMATE(Expm1, std::expm1)
ASSAY_APPROXIMATE(Logistic, LibraryLogistic)
ASSAY_APPROXIMATE(Tanh, std::tanh)
#undef ASSAY_APPROXIMATE

ASSAY_VECTOR_CLONES void ApproximateSqrt(const double* in, double* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = std::sqrt(in[i]);
}
ASSAY_VECTOR_CLONES void ApproximateRsqrt(const double* in, double* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = 1 / std::sqrt(in[i]);
}

#define ASSAY_LIBRARY(name)                                             \
  [](const double* in, double* out, std::int64_t count) {               \
    for (std::int64_t i = 0; i < count; ++i) out[i] = std::name(in[i]); \
  }

}  // namespace

const RealUnary kExp = {ApproximateExp, EncloseExp, mpfr_exp};
const RealUnary kExpm1 = {ApproximateExpm1, EncloseExpm1, mpfr_expm1};
const RealUnary kLog = {ASSAY_LIBRARY(log), EncloseLog, mpfr_log};
const RealUnary kLog1p = {ASSAY_LIBRARY(log1p), EncloseLog1p, mpfr_log1p};
const RealUnary kLogistic = {ApproximateLogistic, EncloseLogistic, ExactLogistic};
const RealUnary kSqrt = {ApproximateSqrt, EncloseSqrt, mpfr_sqrt};
const RealUnary kRsqrt = {ApproximateRsqrt, EncloseRsqrt, ExactRsqrt};
const RealUnary kCbrt = {ASSAY_LIBRARY(cbrt), EncloseCbrt, mpfr_cbrt};
const RealUnary kErf = {ASSAY_LIBRARY(erf), EncloseErf, mpfr_erf};
const RealUnary kSin = {ASSAY_LIBRARY(sin), EncloseSin, mpfr_sin};
const RealUnary kCos = {ASSAY_LIBRARY(cos), EncloseCos, mpfr_cos};
const RealUnary kTan = {ASSAY_LIBRARY(tan), EncloseTan, mpfr_tan};
const RealUnary kAsin = {ASSAY_LIBRARY(asin), EncloseAsin, mpfr_asin};
const RealUnary kAcos = {ASSAY_LIBRARY(acos), EncloseAcos, mpfr_acos};
const RealUnary kAtan = {ASSAY_LIBRARY(atan), EncloseAtan, mpfr_atan};
const RealUnary kSinh = {ASSAY_LIBRARY(sinh), EncloseSinh, mpfr_sinh};
const RealUnary kCosh = {ASSAY_LIBRARY(cosh), EncloseCosh, mpfr_cosh};
const RealUnary kTanh = {ApproximateTanh, EncloseTanh, mpfr_tanh};
const RealUnary kAsinh = {ASSAY_LIBRARY(asinh), EncloseAsinh, mpfr_asinh};
const RealUnary kAcosh = {ASSAY_LIBRARY(acosh), EncloseAcosh, mpfr_acosh};
const RealUnary kAtanh = {ASSAY_LIBRARY(atanh), EncloseAtanh, mpfr_atanh};
const RealBinary kPow = {EnclosePow, mpfr_pow};
const RealBinary kAtan2 = {EncloseAtan2, mpfr_atan2};

#undef ASSAY_LIBRARY

}  // namespace assay
