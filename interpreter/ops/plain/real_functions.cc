#include "interpreter/ops/plain/number.h"
#include "interpreter/ops/plain/real.h"

namespace assay::plain {
namespace {

Real Value(MpfrFunction function, Course course, const Real& x) {
  if (x.IsNan()) return x;
  return OfEnclosures([=](mpfr_prec_t precision) { return plain::Apply(function, course, EnclosureOf(x, precision)); });
}

Real Value(MpfrBinary function, const Real& x, const Real& y) {
  return OfEnclosures([=](mpfr_prec_t precision) {
    return plain::Apply(function, EnclosureOf(x, precision), EnclosureOf(y, precision));
  });
}

// Returns the root of a fraction of two squares; nullopt for other numbers.
std::optional<Rational> RationalRoot(const Rational& x) {
  using boost::multiprecision::mpz_int;
  const mpz_int above = numerator(x), below = denominator(x);
  if (x < 0 || !mpz_perfect_square_p(above.backend().data()) || !mpz_perfect_square_p(below.backend().data())) {
    return std::nullopt;
  }
  return Rational(sqrt(above), sqrt(below));
}

}  // namespace

Real Sqrt(const Real& x) {
  if (x.number() && x.number()->rational()) {
    if (const auto root = RationalRoot(*x.number()->rational())) return OfRational(*root);
  }
  return Value(mpfr_sqrt, Course::kIncreasing, x);
}
Real Rsqrt(const Real& x) { return x.IsNan() ? x : 1 / Sqrt(x); }
Real Cbrt(const Real& x) { return Value(mpfr_cbrt, Course::kIncreasing, x); }
Real Exp(const Real& x) { return Value(mpfr_exp, Course::kIncreasing, x); }
Real Expm1(const Real& x) { return Value(mpfr_expm1, Course::kIncreasing, x); }
Real Log(const Real& x) { return Value(mpfr_log, Course::kIncreasing, x); }
Real Log1p(const Real& x) { return Value(mpfr_log1p, Course::kIncreasing, x); }
Real Logistic(const Real& x) { return x.IsNan() ? x : 1 / (1 + Exp(-x)); }
Real Erf(const Real& x) { return Value(mpfr_erf, Course::kIncreasing, x); }
Real Sin(const Real& x) { return Value(mpfr_sin, Course::kLipschitz, x); }
Real Cos(const Real& x) { return Value(mpfr_cos, Course::kLipschitz, x); }
Real Tan(const Real& x) { return Value(mpfr_tan, Course::kOther, x); }
Real Asin(const Real& x) { return Value(mpfr_asin, Course::kIncreasing, x); }
Real Acos(const Real& x) { return Value(mpfr_acos, Course::kDecreasing, x); }
Real Atan(const Real& x) { return Value(mpfr_atan, Course::kIncreasing, x); }
Real Sinh(const Real& x) { return Value(mpfr_sinh, Course::kIncreasing, x); }
Real Cosh(const Real& x) { return x.IsNan() ? x : Value(mpfr_cosh, Course::kIncreasing, Abs(x)); }
Real Tanh(const Real& x) { return Value(mpfr_tanh, Course::kIncreasing, x); }
Real Asinh(const Real& x) { return Value(mpfr_asinh, Course::kIncreasing, x); }
Real Acosh(const Real& x) { return Value(mpfr_acosh, Course::kIncreasing, x); }
Real Atanh(const Real& x) { return Value(mpfr_atanh, Course::kIncreasing, x); }
Real Power(const Real& base, const Real& exponent) { return Value(mpfr_pow, base, exponent); }
Real Atan2(const Real& y, const Real& x) { return Value(mpfr_atan2, y, x); }

}  // namespace assay::plain
