// The complex functions: by balls, by MPC or by intervals, and their values at infinity.
#include <mpc.h>

#include <cmath>
#include <limits>

#include "interpreter/numerics/complex.h"
#include "interpreter/numerics/complex_exact.h"
#include "interpreter/numerics/complex_series.h"
#include "interpreter/numerics/mpfr_cache.h"
#include "interpreter/numerics/real.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

// One limb: f64 plus more than the two extra bits that RoundMpfr requires.
constexpr mpfr_prec_t kExactComplexPrecision = 64;

class ComplexScratch {
 public:
  ComplexScratch() {
    FreeMpfrCacheWithThread();
    mpc_init2(result, kExactComplexPrecision);
    mpc_init2(lhs, 53);
    mpc_init2(rhs, 53);
  }
  ~ComplexScratch() {
    mpc_clear(result);
    mpc_clear(lhs);
    mpc_clear(rhs);
  }
  ComplexScratch(const ComplexScratch&) = delete;
  ComplexScratch& operator=(const ComplexScratch&) = delete;

  static ComplexScratch& OfThisThread() {
    thread_local ComplexScratch scratch;
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
ComplexBits ByMpc(const FloatFormat& part, ComplexDouble z) {
  ComplexScratch& scratch = ComplexScratch::OfThisThread();
  mpc_set_d_d(scratch.lhs, z.real(), z.imag(), MPC_RNDNN);
  return scratch.Rounded(part, function(scratch.result, scratch.lhs, MPC_RNDNN));
}

template <int (*function)(mpc_ptr, mpc_srcptr, mpc_srcptr, mpc_rnd_t)>
ComplexBits ByMpc(const FloatFormat& part, ComplexDouble lhs, ComplexDouble rhs) {
  ComplexScratch& scratch = ComplexScratch::OfThisThread();
  mpc_set_d_d(scratch.lhs, lhs.real(), lhs.imag(), MPC_RNDNN);
  mpc_set_d_d(scratch.rhs, rhs.real(), rhs.imag(), MPC_RNDNN);
  return scratch.Rounded(part, function(scratch.result, scratch.lhs, scratch.rhs, MPC_RNDNN));
}

// Returns the sign of sin(2x).
double SignOfSine(double x) {
  FreeMpfrCacheWithThread();
  mpfr_t value;
  mpfr_init2(value, 53);
  mpfr_set_d(value, x, MPFR_RNDN);
  mpfr_mul_2ui(value, value, 1, MPFR_RNDN);
  mpfr_sin(value, value, MPFR_RNDN);
  const double sign = mpfr_signbit(value) != 0 ? -1.0 : 1.0;
  mpfr_clear(value);
  return sign;
}

bool HasZeroPart(ComplexDouble z) { return z.real() == 0 || z.imag() == 0; }

// For |a| > 400, tanh(a + ib) differs from +-1 by less than 2^-1150 in each part. MPC would compute all those digits.
constexpr double kTanhIsOne = 400;

ComplexBits ExactTanh(const FloatFormat& part, ComplexDouble z) {
  if (std::fabs(z.real()) > kTanhIsOne) {
    return {RoundDouble(part, std::copysign(1.0, z.real())),
            RoundDouble(part, std::copysign(0.0, SignOfSine(z.imag())))};
  }
  return HasZeroPart(z) ? ByMpc<mpc_tanh>(part, z) : ExactComplexTanh(part, z);
}

// Uses tan(z) = -i tanh(iz).
ComplexBits ExactTan(const FloatFormat& part, ComplexDouble z) {
  const ComplexBits tanh = ExactTanh(part, {z.imag(), z.real()});
  return {tanh[1], tanh[0]};
}

ComplexBits ExactCosh(const FloatFormat& part, ComplexDouble z) {
  return HasZeroPart(z) ? ByMpc<mpc_cosh>(part, z) : ExactComplexCosh(part, z);
}
// Uses cos(z) = cosh(iz).
ComplexBits ExactCos(const FloatFormat& part, ComplexDouble z) {
  return HasZeroPart(z) ? ByMpc<mpc_cos>(part, z) : ExactComplexCosh(part, {-z.imag(), z.real()});
}
ComplexBits ExactSinh(const FloatFormat& part, ComplexDouble z) {
  return HasZeroPart(z) ? ByMpc<mpc_sinh>(part, z) : ExactComplexSinh(part, z);
}
// Uses sin(z) = -i sinh(iz).
ComplexBits ExactSin(const FloatFormat& part, ComplexDouble z) {
  if (HasZeroPart(z)) return ByMpc<mpc_sin>(part, z);
  const ComplexBits sinh = ExactComplexSinh(part, {z.imag(), z.real()});
  return {sinh[1], sinh[0]};
}

ComplexBits ExactAcos(const FloatFormat& part, ComplexDouble z) {
  return IsFarOrNearAxis(z.real(), z.imag()) ? AcosBySeries(part, z) : ByMpc<mpc_acos>(part, z);
}
ComplexBits ExactAcosh(const FloatFormat& part, ComplexDouble z) {
  return IsFarOrNearAxis(z.real(), z.imag()) ? AcoshBySeries(part, z) : ByMpc<mpc_acosh>(part, z);
}
ComplexBits ExactAsin(const FloatFormat& part, ComplexDouble z) {
  return IsFarOrNearAxis(z.real(), z.imag()) ? AsinBySeries(part, z) : ByMpc<mpc_asin>(part, z);
}
ComplexBits ExactAsinh(const FloatFormat& part, ComplexDouble z) {
  return IsFarOrNearAxis(z.imag(), z.real()) ? AsinhBySeries(part, z) : ByMpc<mpc_asinh>(part, z);
}

ComplexBits Itself(const FloatFormat& part, ComplexDouble z) {
  return {RoundDouble(part, z.real()), RoundDouble(part, z.imag())};
}
ComplexBits ExactAtan(const FloatFormat& part, ComplexDouble z) {
  return IsTiny(z) ? Itself(part, z) : ByMpc<mpc_atan>(part, z);
}
ComplexBits ExactAtanh(const FloatFormat& part, ComplexDouble z) {
  return IsTiny(z) ? Itself(part, z) : ByMpc<mpc_atanh>(part, z);
}

ComplexBits ExactDivide(const FloatFormat& part, ComplexDouble lhs, ComplexDouble rhs) {
  if (rhs != 0.0) return ByMpc<mpc_div>(part, lhs, rhs);
  // Annex G: a non-zero number over zero is an infinity in the direction of that number; zero over zero is NaN.
  const ComplexDouble quotient = lhs / rhs;
  return {RoundDouble(part, WithNanOf(quotient.real())), RoundDouble(part, WithNanOf(quotient.imag()))};
}

// Replaces finite non-zero parts by 1 or -1: beside infinities and NaNs only their signs count, and their products do
// not overflow.
ComplexDouble OfSigns(ComplexDouble z) {
  const auto part = [](double x) { return std::isfinite(x) && x != 0 ? std::copysign(1.0, x) : x; };
  return {part(z.real()), part(z.imag())};
}

ComplexDouble ProductAtInfinity(ComplexDouble x, ComplexDouble y) { return OfSigns(x) * OfSigns(y); }

// Maps an infinity to a point of the square of side 2.
ComplexDouble OnSquare(ComplexDouble z) {
  const auto part = [](double x) { return std::copysign(std::isinf(x) ? 1.0 : 0.0, x); };
  return {part(z.real()), part(z.imag())};
}

bool IsFinitePair(ComplexDouble z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

// Annex G: a number over zero and an infinity over a number are infinite; a number over an infinity is zero.
ComplexDouble QuotientAtInfinity(ComplexDouble x, ComplexDouble y) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  const auto times_conjugate = [](ComplexDouble a, ComplexDouble b) -> ComplexDouble {
    return {a.real() * b.real() + a.imag() * b.imag(), a.imag() * b.real() - a.real() * b.imag()};
  };
  const bool is_infinite = std::isinf(x.real()) || std::isinf(x.imag());
  if (y == 0.0) {
    const double infinity = std::copysign(kInfinity, y.real());
    return {infinity * x.real(), infinity * x.imag()};
  }
  if (is_infinite && IsFinitePair(y)) {
    const ComplexDouble quotient = times_conjugate(OfSigns(x), OfSigns(y));
    if (!std::isnan(quotient.real()) || !std::isnan(quotient.imag())) return quotient;
    const ComplexDouble direction = times_conjugate(OnSquare(x), y);
    return {kInfinity * direction.real(), kInfinity * direction.imag()};
  }
  if (IsFinitePair(x) && (std::isinf(y.real()) || std::isinf(y.imag()))) {
    const ComplexDouble direction = times_conjugate(x, OnSquare(y));
    return {std::copysign(0.0, direction.real()), std::copysign(0.0, direction.imag())};
  }
  return {kNan, kNan};
}

// Exact signs of the logarithm: a part may be below every double.
ComplexDouble PowerAtInfinity(ComplexDouble base, ComplexDouble exponent) {
  if (exponent == 0.0 || base == 1.0) return 1;
  const ComplexDouble log = IsFinitePair(base) && base != 0.0 ? SignsOfLog(base) : std::log(base);
  return std::exp(ProductAtInfinity(exponent, log));
}

ComplexDouble Atan2AtInfinity(ComplexDouble, ComplexDouble) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, nan};
}

ComplexDouble Expm1AtInfinity(ComplexDouble z) {
  const ComplexDouble power = std::exp(z);
  return {power.real() - 1, power.imag()};
}

ComplexDouble Log1pAtInfinity(ComplexDouble z) { return std::log(ComplexDouble(z.real() + 1, z.imag())); }

ComplexDouble LogisticAtInfinity(ComplexDouble z) {
  const ComplexDouble power = std::exp(-z);
  return ComplexDouble(1) / ComplexDouble(power.real() + 1, power.imag());
}

// The reciprocal of an infinite root is zero, on the other side of the real axis.
ComplexDouble RsqrtAtInfinity(ComplexDouble z) {
  const ComplexDouble root = std::sqrt(z);
  if (!std::isinf(root.real()) && !std::isinf(root.imag())) return root;
  return {std::copysign(0.0, root.real()), std::copysign(0.0, -root.imag())};
}

// The length of an infinite number is infinite; an angle of zero stays zero.
ComplexDouble CbrtAtInfinity(ComplexDouble z) {
  const double length = std::abs(z);
  const double angle = std::arg(z) / 3;
  return {length * std::cos(angle), angle == 0 ? angle : length * std::sin(angle)};
}

ComplexDouble SignAtInfinity(ComplexDouble z) {
  const double length = std::abs(z);
  return {z.real() / length, z.imag() / length};
}

// One loop for each function, so that the dispatch on the instruction set happens once per block.
#define ASSAY_ENCLOSE(name)                                                                                   \
  ASSAY_FUSED_CLONES void Enclose##name(const double* in, BallParts* out, std::int64_t count) {               \
    for (std::int64_t i = 0; i < count; ++i) out[i] = Complex##name(ComplexDouble(in[2 * i], in[2 * i + 1])); \
  }
#define ASSAY_ENCLOSE_BINARY(name)                                                                                  \
  ASSAY_FUSED_CLONES void Enclose##name(const double* lhs, const double* rhs, BallParts* out, std::int64_t count) { \
    for (std::int64_t i = 0; i < count; ++i) {                                                                      \
      out[i] = Complex##name(ComplexDouble(lhs[2 * i], lhs[2 * i + 1]), ComplexDouble(rhs[2 * i], rhs[2 * i + 1])); \
    }                                                                                                               \
  }
ASSAY_ENCLOSE(Exp)
ASSAY_ENCLOSE(Expm1)
ASSAY_ENCLOSE(Log)
ASSAY_ENCLOSE(Log1p)
ASSAY_ENCLOSE(Logistic)
ASSAY_ENCLOSE(Sqrt)
ASSAY_ENCLOSE(Rsqrt)
ASSAY_ENCLOSE(Cbrt)
ASSAY_ENCLOSE(Sign)
ASSAY_ENCLOSE(Sin)
ASSAY_ENCLOSE(Cos)
ASSAY_ENCLOSE(Tan)
ASSAY_ENCLOSE(Asin)
ASSAY_ENCLOSE(Acos)
ASSAY_ENCLOSE(Atan)
ASSAY_ENCLOSE(Sinh)
ASSAY_ENCLOSE(Cosh)
ASSAY_ENCLOSE(Tanh)
ASSAY_ENCLOSE(Asinh)
ASSAY_ENCLOSE(Acosh)
ASSAY_ENCLOSE(Atanh)
ASSAY_ENCLOSE_BINARY(Product)
ASSAY_ENCLOSE_BINARY(Quotient)
ASSAY_ENCLOSE_BINARY(Power)
ASSAY_ENCLOSE_BINARY(Atan2)
#undef ASSAY_ENCLOSE
#undef ASSAY_ENCLOSE_BINARY

// Annex G's values at infinity, from the C library.
#define ASSAY_AT_INFINITY(name) [](ComplexDouble z) { return std::name(z); }
#define ASSAY_BY_MPC(Name, name) \
  { Enclose##Name, ByMpc<mpc_##name>, ASSAY_AT_INFINITY(name) }

}  // namespace

const ComplexUnary kComplexExp = ASSAY_BY_MPC(Exp, exp);
const ComplexUnary kComplexLog = ASSAY_BY_MPC(Log, log);
const ComplexUnary kComplexSqrt = ASSAY_BY_MPC(Sqrt, sqrt);
const ComplexUnary kComplexSin = {EncloseSin, ExactSin, ASSAY_AT_INFINITY(sin)};
const ComplexUnary kComplexCos = {EncloseCos, ExactCos, ASSAY_AT_INFINITY(cos)};
const ComplexUnary kComplexTan = {EncloseTan, ExactTan, ASSAY_AT_INFINITY(tan)};
const ComplexUnary kComplexAsin = {EncloseAsin, ExactAsin, ASSAY_AT_INFINITY(asin)};
const ComplexUnary kComplexAcos = {EncloseAcos, ExactAcos, ASSAY_AT_INFINITY(acos)};
const ComplexUnary kComplexAtan = {EncloseAtan, ExactAtan, ASSAY_AT_INFINITY(atan)};
const ComplexUnary kComplexSinh = {EncloseSinh, ExactSinh, ASSAY_AT_INFINITY(sinh)};
const ComplexUnary kComplexCosh = {EncloseCosh, ExactCosh, ASSAY_AT_INFINITY(cosh)};
const ComplexUnary kComplexTanh = {EncloseTanh, ExactTanh, ASSAY_AT_INFINITY(tanh)};
const ComplexUnary kComplexAsinh = {EncloseAsinh, ExactAsinh, ASSAY_AT_INFINITY(asinh)};
const ComplexUnary kComplexAcosh = {EncloseAcosh, ExactAcosh, ASSAY_AT_INFINITY(acosh)};
const ComplexUnary kComplexAtanh = {EncloseAtanh, ExactAtanh, ASSAY_AT_INFINITY(atanh)};

const ComplexUnary kComplexExpm1 = {EncloseExpm1, ExactComplexExpm1, Expm1AtInfinity};
const ComplexUnary kComplexLog1p = {EncloseLog1p, ExactComplexLog1p, Log1pAtInfinity};
const ComplexUnary kComplexLogistic = {EncloseLogistic, ExactComplexLogistic, LogisticAtInfinity};
const ComplexUnary kComplexRsqrt = {EncloseRsqrt, ExactComplexRsqrt, RsqrtAtInfinity};
const ComplexUnary kComplexCbrt = {EncloseCbrt, ExactComplexCbrt, CbrtAtInfinity};
const ComplexUnary kComplexSign = {EncloseSign, ExactComplexSign, SignAtInfinity};

const ComplexBinary kComplexMultiply = {EncloseProduct, ByMpc<mpc_mul>, ProductAtInfinity};
const ComplexBinary kComplexDivide = {EncloseQuotient, ExactDivide, QuotientAtInfinity};
const ComplexBinary kComplexPow = {EnclosePower, ExactComplexPower, PowerAtInfinity};
const ComplexBinary kComplexAtan2 = {EncloseAtan2, ExactComplexAtan2, Atan2AtInfinity};

#undef ASSAY_AT_INFINITY
#undef ASSAY_BY_MPC

}  // namespace assay
