// The complex functions: the C library's form, MPC's or an interval's, and what happens at infinity.
#include <mpc.h>

#include <cmath>
#include <limits>

#include "interpreter/numerics/complex.h"
#include "interpreter/numerics/complex_approximate.h"
#include "interpreter/numerics/complex_exact.h"
#include "interpreter/numerics/functions.h"
#include "interpreter/numerics/round.h"

namespace assay {
namespace {

// As much as one limb holds; more than f64 needs by more than the two bits that RoundMpfr asks for.
constexpr mpfr_prec_t kExactPrecision = 64;

class Scratch {
 public:
  Scratch() {
    mpc_init2(result, kExactPrecision);
    mpc_init2(lhs, 53);
    mpc_init2(rhs, 53);
  }
  ~Scratch() {
    mpc_clear(result);
    mpc_clear(lhs);
    mpc_clear(rhs);
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  static Scratch& OfThisThread() {
    thread_local Scratch scratch;
    return scratch;
  }

  ComplexBits Rounded(const FloatFormat& part, int inexact) const {
    return {RoundMpfr(part, mpc_realref(result), MPC_INEX_RE(inexact)),
            RoundMpfr(part, mpc_imagref(result), MPC_INEX_IM(inexact))};
  }

  mpc_t result;
  mpc_t lhs;
  mpc_t rhs;
};

template <int (*function)(mpc_ptr, mpc_srcptr, mpc_rnd_t)>
ComplexBits ByMpc(const FloatFormat& part, Complex z) {
  Scratch& scratch = Scratch::OfThisThread();
  mpc_set_d_d(scratch.lhs, z.real(), z.imag(), MPC_RNDNN);
  return scratch.Rounded(part, function(scratch.result, scratch.lhs, MPC_RNDNN));
}

template <int (*function)(mpc_ptr, mpc_srcptr, mpc_srcptr, mpc_rnd_t)>
ComplexBits ByMpc(const FloatFormat& part, Complex lhs, Complex rhs) {
  Scratch& scratch = Scratch::OfThisThread();
  mpc_set_d_d(scratch.lhs, lhs.real(), lhs.imag(), MPC_RNDNN);
  mpc_set_d_d(scratch.rhs, rhs.real(), rhs.imag(), MPC_RNDNN);
  return scratch.Rounded(part, function(scratch.result, scratch.lhs, scratch.rhs, MPC_RNDNN));
}

// The sign of sin(2x).
double SignOfSine(double x) {
  mpfr_t value;
  mpfr_init2(value, 53);
  mpfr_set_d(value, x, MPFR_RNDN);
  mpfr_mul_2ui(value, value, 1, MPFR_RNDN);
  mpfr_sin(value, value, MPFR_RNDN);
  const double sign = mpfr_signbit(value) != 0 ? -1.0 : 1.0;
  mpfr_clear(value);
  return sign;
}

// For |a| > 400, tanh(a + ib) differs from +-1 by less than 2^-1150 in each part. MPC would compute all those digits.
constexpr double kTanhIsOne = 400;

ComplexBits ExactTanh(const FloatFormat& part, Complex z) {
  if (!(std::fabs(z.real()) > kTanhIsOne)) return ByMpc<mpc_tanh>(part, z);
  return {RoundDouble(part, std::copysign(1.0, z.real())), RoundDouble(part, std::copysign(0.0, SignOfSine(z.imag())))};
}

// tan(z) = -i tanh(iz)
ComplexBits ExactTan(const FloatFormat& part, Complex z) {
  if (!(std::fabs(z.imag()) > kTanhIsOne)) return ByMpc<mpc_tan>(part, z);
  return {RoundDouble(part, std::copysign(0.0, SignOfSine(z.real()))), RoundDouble(part, std::copysign(1.0, z.imag()))};
}

ComplexBits ExactDivide(const FloatFormat& part, Complex lhs, Complex rhs) {
  if (rhs != 0.0) return ByMpc<mpc_div>(part, lhs, rhs);
  // Annex G: a number over zero is an infinity in the direction of that number, zero over zero is NaN.
  const Complex quotient = lhs / rhs;
  return {RoundDouble(part, WithNanOf(quotient.real(), 0, 0)), RoundDouble(part, WithNanOf(quotient.imag(), 0, 0))};
}

ComplexBits ExactPow(const FloatFormat& part, Complex base, Complex exponent) {
  const ComplexBits one = {RoundDouble(part, 1), RoundDouble(part, 0)};
  if (exponent == 0.0 || base == 1.0) return one;
  if (base != 0.0) return ByMpc<mpc_pow>(part, base, exponent);
  // |0^w| is 0 to the real part of w; where that is not zero, the angle is anything.
  if (exponent.real() > 0) return {RoundDouble(part, 0), RoundDouble(part, 0)};
  return {part.nan_bits(false), part.nan_bits(false)};
}

LongComplex PowAtInfinity(LongComplex base, LongComplex exponent) {
  if (exponent == 0.0L || base == 1.0L) return 1;
  return std::exp(exponent * std::log(base));
}

LongComplex Atan2AtInfinity(LongComplex, LongComplex) {
  const long double nan = std::numeric_limits<long double>::quiet_NaN();
  return {nan, nan};
}

LongComplex Expm1AtInfinity(LongComplex z) {
  const LongComplex power = std::exp(z);
  return {power.real() - 1, power.imag()};
}

LongComplex Log1pAtInfinity(LongComplex z) { return std::log(LongComplex(z.real() + 1, z.imag())); }

LongComplex LogisticAtInfinity(LongComplex z) {
  const LongComplex power = std::exp(-z);
  return LongComplex(1) / LongComplex(power.real() + 1, power.imag());
}

// One over an infinite root is zero, on the other side of the real axis.
LongComplex RsqrtAtInfinity(LongComplex z) {
  const LongComplex root = std::sqrt(z);
  if (!std::isinf(root.real()) && !std::isinf(root.imag())) return root;
  return {std::copysign(0.0L, root.real()), std::copysign(0.0L, -root.imag())};
}

// The length of an infinite number is infinite, and an angle of zero stays zero.
LongComplex CbrtAtInfinity(LongComplex z) {
  const long double length = std::abs(z);
  const long double angle = std::arg(z) / 3;
  return {length * std::cos(angle), angle == 0 ? angle : length * std::sin(angle)};
}

LongComplex SignAtInfinity(LongComplex z) {
  const long double length = std::abs(z);
  return {z.real() / length, z.imag() / length};
}

#define ASSAY_LIBRARY(name) [](Complex z) { return std::name(z); }, [](LongComplex z) { return std::name(z); }
#define ASSAY_AT_INFINITY(name) [](LongComplex z) { return std::name(z); }
#define ASSAY_BY_MPC(name) \
  { ASSAY_LIBRARY(name), ByMpc<mpc_##name>, ASSAY_AT_INFINITY(name) }

}  // namespace

const ComplexUnary kComplexExp = ASSAY_BY_MPC(exp);
const ComplexUnary kComplexLog = ASSAY_BY_MPC(log);
const ComplexUnary kComplexSqrt = ASSAY_BY_MPC(sqrt);
const ComplexUnary kComplexSin = ASSAY_BY_MPC(sin);
const ComplexUnary kComplexCos = ASSAY_BY_MPC(cos);
const ComplexUnary kComplexTan = {ASSAY_LIBRARY(tan), ExactTan, ASSAY_AT_INFINITY(tan)};
const ComplexUnary kComplexAsin = ASSAY_BY_MPC(asin);
const ComplexUnary kComplexAcos = ASSAY_BY_MPC(acos);
const ComplexUnary kComplexAtan = ASSAY_BY_MPC(atan);
const ComplexUnary kComplexSinh = ASSAY_BY_MPC(sinh);
const ComplexUnary kComplexCosh = ASSAY_BY_MPC(cosh);
const ComplexUnary kComplexTanh = {ASSAY_LIBRARY(tanh), ExactTanh, ASSAY_AT_INFINITY(tanh)};
const ComplexUnary kComplexAsinh = ASSAY_BY_MPC(asinh);
const ComplexUnary kComplexAcosh = ASSAY_BY_MPC(acosh);
const ComplexUnary kComplexAtanh = ASSAY_BY_MPC(atanh);

const ComplexUnary kComplexExpm1 = {ApproximateExpm1<double>, ApproximateExpm1<long double>, ExactComplexExpm1,
                                    Expm1AtInfinity};
const ComplexUnary kComplexLog1p = {ApproximateLog1p<double>, ApproximateLog1p<long double>, ExactComplexLog1p,
                                    Log1pAtInfinity};
const ComplexUnary kComplexLogistic = {ApproximateLogistic<double>, ApproximateLogistic<long double>,
                                       ExactComplexLogistic, LogisticAtInfinity};
const ComplexUnary kComplexRsqrt = {ApproximateRsqrt<double>, ApproximateRsqrt<long double>, ExactComplexRsqrt,
                                    RsqrtAtInfinity};
const ComplexUnary kComplexCbrt = {ApproximateCbrt<double>, ApproximateCbrt<long double>, ExactComplexCbrt,
                                   CbrtAtInfinity};
const ComplexUnary kComplexSign = {ApproximateSign<double>, ApproximateSign<long double>, ExactComplexSign,
                                   SignAtInfinity};

const ComplexBinary kComplexMultiply = {ByMpc<mpc_mul>, [](LongComplex x, LongComplex y) { return x * y; }};
const ComplexBinary kComplexDivide = {ExactDivide, [](LongComplex x, LongComplex y) { return x / y; }};
const ComplexBinary kComplexPow = {ExactPow, PowAtInfinity};
const ComplexBinary kComplexAtan2 = {ExactComplexAtan2, Atan2AtInfinity};

#undef ASSAY_LIBRARY
#undef ASSAY_AT_INFINITY
#undef ASSAY_BY_MPC

}  // namespace assay
