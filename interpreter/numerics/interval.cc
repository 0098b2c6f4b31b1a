#include "interpreter/numerics/interval.h"

#include <array>
#include <vector>

#include "interpreter/numerics/mpfr_cache.h"
#include "interpreter/numerics/round.h"

namespace assay {

Interval::Interval(mpfr_prec_t precision) {
  FreeMpfrCacheWithThread();
  if (precision <= kOwnPrecision) {
    mpfr_custom_init_set(low_, MPFR_NAN_KIND, 0, precision, limbs_[0].data());
    mpfr_custom_init_set(high_, MPFR_NAN_KIND, 0, precision, limbs_[1].data());
  } else {
    mpfr_init2(low_, precision);
    mpfr_init2(high_, precision);
  }
}

Interval::Interval(double value, mpfr_prec_t precision) : Interval(precision) {
  mpfr_set_d(low_, value, MPFR_RNDD);
  mpfr_set_d(high_, value, MPFR_RNDU);
}

Interval::Interval(const Interval& other) : Interval(other.precision()) { *this = other; }

Interval& Interval::operator=(const Interval& other) {
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
  return *this;
}

Interval::~Interval() {
  if (precision() <= kOwnPrecision) return;
  mpfr_clear(low_);
  mpfr_clear(high_);
}

void Interval::ClearZeroSign() {
  if (!IsZero()) return;
  mpfr_set_zero(low_, 1);
  mpfr_set_zero(high_, 1);
}

Interval Interval::Increasing(Function function, const Interval& a) {
  Interval result(a.precision());
  function(result.low_, a.low_, MPFR_RNDD);
  function(result.high_, a.high_, MPFR_RNDU);
  return result;
}

// Encloses a function with a slope of at most 1: the value at one end, plus or minus the width.
Interval Interval::Lipschitz(Function function, const Interval& a) {
  Interval result(a.precision());
  function(result.low_, a.low_, MPFR_RNDD);
  function(result.high_, a.low_, MPFR_RNDU);
  if (mpfr_equal_p(a.low_, a.high_)) return result;
  Interval width(a.precision());
  mpfr_sub(width.high_, a.high_, a.low_, MPFR_RNDU);
  mpfr_sub(result.low_, result.low_, width.high_, MPFR_RNDD);
  mpfr_add(result.high_, result.high_, width.high_, MPFR_RNDU);
  return result;
}

Interval Interval::SumOfProducts(std::initializer_list<Product> products, mpfr_prec_t precision) {
  constexpr mpfr_prec_t kExactProduct = 2 * 53;
  std::vector<Interval> terms;
  std::vector<mpfr_ptr> table;
  terms.reserve(products.size());
  for (const auto& [x, y] : products) {
    Interval& term = terms.emplace_back(x, kExactProduct);
    mpfr_mul_d(term.low_, term.low_, y, MPFR_RNDN);
    table.push_back(term.low_);
  }
  Interval result(precision);
  mpfr_sum(result.low_, table.data(), table.size(), MPFR_RNDD);
  mpfr_sum(result.high_, table.data(), table.size(), MPFR_RNDU);
  result.ClearZeroSign();
  return result;
}

Interval Interval::OfTurns(FunctionOfTurns function, std::int64_t k, std::int64_t n, mpfr_prec_t precision) {
  Interval turns(64), result(precision);
  mpfr_set_si(turns.low_, k, MPFR_RNDN);
  function(result.low_, turns.low_, n, MPFR_RNDD);
  function(result.high_, turns.low_, n, MPFR_RNDU);
  result.ClearZeroSign();
  return result;
}

Interval Interval::CosineOfTurns(std::int64_t k, std::int64_t n, mpfr_prec_t precision) {
  return OfTurns(mpfr_cosu, k, n, precision);
}

Interval Interval::SineOfTurns(std::int64_t k, std::int64_t n, mpfr_prec_t precision) {
  return OfTurns(mpfr_sinu, k, n, precision);
}

Interval operator-(const Interval& a) {
  Interval result(a.precision());
  mpfr_neg(result.low_, a.high_, MPFR_RNDD);
  mpfr_neg(result.high_, a.low_, MPFR_RNDU);
  return result;
}

Interval operator+(const Interval& a, const Interval& b) {
  Interval result(a.precision());
  mpfr_add(result.low_, a.low_, b.low_, MPFR_RNDD);
  mpfr_add(result.high_, a.high_, b.high_, MPFR_RNDU);
  result.ClearZeroSign();
  return result;
}

Interval operator-(const Interval& a, const Interval& b) {
  Interval result(a.precision());
  mpfr_sub(result.low_, a.low_, b.high_, MPFR_RNDD);
  mpfr_sub(result.high_, a.high_, b.low_, MPFR_RNDU);
  result.ClearZeroSign();
  return result;
}

Interval operator*(const Interval& a, const Interval& b) {
  Interval result(a.precision());
  Interval product(a.precision());
  mpfr_mul(result.low_, a.low_, b.low_, MPFR_RNDD);
  mpfr_mul(result.high_, a.low_, b.low_, MPFR_RNDU);
  const std::array<std::array<mpfr_srcptr, 2>, 3> others = {{{a.low_, b.high_}, {a.high_, b.low_}, {a.high_, b.high_}}};
  for (const auto& [x, y] : others) {
    mpfr_mul(product.low_, x, y, MPFR_RNDD);
    mpfr_mul(product.high_, x, y, MPFR_RNDU);
    mpfr_min(result.low_, result.low_, product.low_, MPFR_RNDD);
    mpfr_max(result.high_, result.high_, product.high_, MPFR_RNDU);
  }
  return result;
}

Interval operator/(const Interval& a, const Interval& b) {
  Interval result(a.precision());
  mpfr_div(result.low_, a.low_, mpfr_sgn(a.low_) < 0 ? b.low_ : b.high_, MPFR_RNDD);
  mpfr_div(result.high_, a.high_, mpfr_sgn(a.high_) < 0 ? b.high_ : b.low_, MPFR_RNDU);
  return result;
}

Interval Square(const Interval& a) {
  if (!a.IsNonNegative() && mpfr_sgn(a.high_) > 0) {
    Interval result = a * a;
    mpfr_set_zero(result.low_, 1);
    return result;
  }
  return a * a;
}

Interval Sqrt(const Interval& a) { return Interval::Increasing(mpfr_sqrt, a); }
Interval Cbrt(const Interval& a) { return Interval::Increasing(mpfr_cbrt, a); }
Interval Exp(const Interval& a) { return Interval::Increasing(mpfr_exp, a); }
Interval Expm1(const Interval& a) { return Interval::Increasing(mpfr_expm1, a); }
Interval Log(const Interval& a) { return Interval::Increasing(mpfr_log, a); }
Interval Log1p(const Interval& a) { return Interval::Increasing(mpfr_log1p, a); }
Interval Sin(const Interval& a) { return Interval::Lipschitz(mpfr_sin, a); }
Interval Cos(const Interval& a) { return Interval::Lipschitz(mpfr_cos, a); }

Interval Atan2(const Interval& y, const Interval& x) {
  Interval result(y.precision());
  const bool crosses_cut = mpfr_sgn(x.low_) <= 0 && mpfr_sgn(y.low_) * mpfr_sgn(y.high_) <= 0 && !y.IsZero();
  if (crosses_cut) {
    mpfr_const_pi(result.high_, MPFR_RNDU);
    mpfr_neg(result.low_, result.high_, MPFR_RNDD);
    return result;
  }
  // The angles of a box are between those of its corners.
  mpfr_atan2(result.low_, y.low_, x.low_, MPFR_RNDD);
  mpfr_atan2(result.high_, y.low_, x.low_, MPFR_RNDU);
  if (mpfr_equal_p(y.low_, y.high_) && mpfr_equal_p(x.low_, x.high_)) return result;
  Interval corner(y.precision());
  const std::array<std::array<mpfr_srcptr, 2>, 3> others = {{{y.low_, x.high_}, {y.high_, x.low_}, {y.high_, x.high_}}};
  for (const auto& [dy, dx] : others) {
    mpfr_atan2(corner.low_, dy, dx, MPFR_RNDD);
    mpfr_atan2(corner.high_, dy, dx, MPFR_RNDU);
    mpfr_min(result.low_, result.low_, corner.low_, MPFR_RNDD);
    mpfr_max(result.high_, result.high_, corner.high_, MPFR_RNDU);
  }
  return result;
}

Interval Interval::Pi(mpfr_prec_t precision) {
  Interval result(precision);
  mpfr_const_pi(result.low_, MPFR_RNDD);
  mpfr_const_pi(result.high_, MPFR_RNDU);
  return result;
}

Interval Hull(const Interval& a, const Interval& b) {
  Interval result(a);
  mpfr_min(result.low_, a.low_, b.low_, MPFR_RNDD);
  mpfr_max(result.high_, a.high_, b.high_, MPFR_RNDU);
  return result;
}

Interval Scaled(const Interval& a, int exponent) {
  Interval scaled = a;
  mpfr_mul_2si(scaled.low_, a.low_, exponent, MPFR_RNDD);
  mpfr_mul_2si(scaled.high_, a.high_, exponent, MPFR_RNDU);
  return scaled;
}

std::optional<std::uint64_t> RoundedIfCertain(const FloatFormat& format, const Interval& value) {
  if (mpfr_nan_p(value.low()) || mpfr_nan_p(value.high())) return std::nullopt;
  if (value.IsZero()) return RoundMpfr(format, value.high(), 0);
  const std::uint64_t low = RoundMpfr(format, value.low(), 0);
  if (low != RoundMpfr(format, value.high(), 0)) return std::nullopt;
  return low;
}

std::uint64_t RoundedTie(const FloatFormat& format, const Interval& value) {
  if (!value.IsPositive() && !value.IsNegative()) return RoundDouble(format, 0);
  mpfr_t tie;
  mpfr_init2(tie, format.precision() + 1);
  mpfr_set(tie, value.low(), MPFR_RNDN);
  const std::uint64_t bits = RoundMpfr(format, tie, 0);
  mpfr_clear(tie);
  return bits;
}

}  // namespace assay
