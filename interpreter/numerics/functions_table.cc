// The real functions: libm's form beside MPFR's.
#include "interpreter/numerics/functions.h"

namespace assay {
namespace {

constexpr long double kAnywhere = std::numeric_limits<long double>::infinity();
// Reduction by pi of larger arguments is left to MPFR in f64; glibc's double versions reduce exactly everywhere.
constexpr long double kReducible = 0x1p30L;

// Beyond these arguments logistic(x) is 1, 1/2 or the exponential, less a part too small for `result` to show.
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

// 1 / (1 + e^-x), always rounded to nearest. Transcendental for every x but 0, so the loop ends.
int Logistic(mpfr_ptr result, mpfr_srcptr operand, mpfr_rnd_t mode) {
  const mpfr_prec_t wanted = mpfr_get_prec(result);
  if (mpfr_nan_p(operand)) {
    mpfr_set_nan(result);
    return 0;
  }
  const bool small = mpfr_zero_p(operand) || (mpfr_number_p(operand) && mpfr_get_exp(operand) < -wanted - 2);
  // e^-2000 is below every format; e^-x for x > 2000 is below every last place.
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
    // Four roundings of half a place each, none magnified: rounding to `wanted` bits must not hang on the last three.
    if (mpfr_can_round(value, precision - 3, MPFR_RNDN, MPFR_RNDZ, wanted + 1)) break;
  }
  const int ternary = mpfr_set(result, value, mode);
  mpfr_clear(value);
  return ternary;
}

int Rsqrt(mpfr_ptr result, mpfr_srcptr operand, mpfr_rnd_t mode) {
  const int ternary = mpfr_rec_sqrt(result, operand, mode);
  // IEEE 754: rSqrt(-0) is -infinity; MPFR gives +infinity.
  if (mpfr_zero_p(operand)) mpfr_setsign(result, result, mpfr_signbit(operand), mode);
  return ternary;
}

// IEEE 754 has the processor round the square root of a double correctly; an f64 number is certain to round to itself.
long double CorrectSqrt(long double x) { return std::sqrt(static_cast<double>(x)); }

template <class T>
T ApproximateLogistic(T x) {
  return 1 / (1 + std::exp(-x));
}

template <class T>
T ApproximateRsqrt(T x) {
  return 1 / std::sqrt(x);
}

// The C library's names carry the type; this picks the overload of std for each.
#define ASSAY_BOTH(name) [](double x) { return std::name(x); }, [](long double x) { return std::name(x); }
#define ASSAY_BOTH_BINARY(name) \
  [](double x, double y) { return std::name(x, y); }, [](long double x, long double y) { return std::name(x, y); }

}  // namespace

const RealUnary kExp = {ASSAY_BOTH(exp), kAnywhere, mpfr_exp};
const RealUnary kExpm1 = {ASSAY_BOTH(expm1), kAnywhere, mpfr_expm1};
const RealUnary kLog = {ASSAY_BOTH(log), kAnywhere, mpfr_log};
const RealUnary kLog1p = {ASSAY_BOTH(log1p), kAnywhere, mpfr_log1p};
const RealUnary kLogistic = {ApproximateLogistic<double>, ApproximateLogistic<long double>, kAnywhere, Logistic};
const RealUnary kSqrt = {[](double x) { return std::sqrt(x); }, CorrectSqrt, kAnywhere, mpfr_sqrt};
const RealUnary kRsqrt = {ApproximateRsqrt<double>, ApproximateRsqrt<long double>, kAnywhere, Rsqrt};
const RealUnary kCbrt = {ASSAY_BOTH(cbrt), kAnywhere, mpfr_cbrt};
const RealUnary kErf = {ASSAY_BOTH(erf), kAnywhere, mpfr_erf};
const RealUnary kSin = {ASSAY_BOTH(sin), kReducible, mpfr_sin};
const RealUnary kCos = {ASSAY_BOTH(cos), kReducible, mpfr_cos};
const RealUnary kTan = {ASSAY_BOTH(tan), kReducible, mpfr_tan};
const RealUnary kAsin = {ASSAY_BOTH(asin), kAnywhere, mpfr_asin};
const RealUnary kAcos = {ASSAY_BOTH(acos), kAnywhere, mpfr_acos};
const RealUnary kAtan = {ASSAY_BOTH(atan), kAnywhere, mpfr_atan};
const RealUnary kSinh = {ASSAY_BOTH(sinh), kAnywhere, mpfr_sinh};
const RealUnary kCosh = {ASSAY_BOTH(cosh), kAnywhere, mpfr_cosh};
const RealUnary kTanh = {ASSAY_BOTH(tanh), kAnywhere, mpfr_tanh};
const RealUnary kAsinh = {ASSAY_BOTH(asinh), kAnywhere, mpfr_asinh};
const RealUnary kAcosh = {ASSAY_BOTH(acosh), kAnywhere, mpfr_acosh};
const RealUnary kAtanh = {ASSAY_BOTH(atanh), kAnywhere, mpfr_atanh};
const RealBinary kPow = {ASSAY_BOTH_BINARY(pow), mpfr_pow};
const RealBinary kAtan2 = {ASSAY_BOTH_BINARY(atan2), mpfr_atan2};

#undef ASSAY_BOTH
#undef ASSAY_BOTH_BINARY

}  // namespace assay
