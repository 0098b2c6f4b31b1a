#include "interpreter/ops/plain/real.h"

#include <cmath>

#include "interpreter/numerics/round.h"
#include "interpreter/ops/plain/number.h"

namespace assay::plain {
namespace {

using WholeNumber = boost::multiprecision::mpz_int;

constexpr double kRealNan = std::numeric_limits<double>::quiet_NaN();
// Beyond these exponents a number remains an enclosure, because its fraction of integers would exhaust the memory.
constexpr mpfr_exp_t kGreatestExponent = 1 << 16;

Enclosure Enclosed(const Rational& value, mpfr_prec_t precision) {
  Enclosure result(precision);
  mpfr_set_q(result.low, value.backend().data(), MPFR_RNDD);
  mpfr_set_q(result.high, value.backend().data(), MPFR_RNDU);
  return result;
}

bool AreRational(const Real& a, const Real& b) {
  return a.number() && b.number() && a.number()->rational() && b.number()->rational();
}

const Rational& RationalOf(const Real& a) { return *a.number()->rational(); }

// Returns the bits of a number at one end of its enclosure. A zero or infinite end means that the number is beyond
// MPFR's exponents, not that it is zero or infinite.
std::uint64_t RoundedEnd(const FloatFormat& format, const Float& end, bool is_negative) {
  if (mpfr_zero_p(end)) return Round(format, is_negative, 0, 0, /*sticky=*/true);
  return RoundMpfr(format, end, 0);
}

// Returns the bits of a number halfway between two of the format.
std::uint64_t RoundedTie(const FloatFormat& format, const Float& near) {
  Float tie(format.precision() + 1);
  mpfr_set(tie, near, MPFR_RNDN);
  return RoundMpfr(format, tie, 0);
}

Real FloorOf(const Real& a) {
  if (!a.number()) return a;
  const Rational& value = RationalOf(a);
  WholeNumber floor;
  mpz_fdiv_q(floor.backend().data(), numerator(value).backend().data(), denominator(value).backend().data());
  return OfRational(floor);
}

Real WithSignOfZero(const Real& result, const Real& operand) {
  return result.IsZero() ? CopySign(result, operand) : result;
}

}  // namespace

Number::Number(Rational value)
    : rational_(std::move(value)),
      enclose_([this](mpfr_prec_t precision) { return Enclosed(*rational_, precision); }),
      is_negative_(*rational_ < 0) {}

Real OfRational(Rational value) {
  if (value == 0) return 0.0;
  return Real(std::make_shared<const Number>(std::move(value)));
}

Real OfEnclosures(Enclose enclose) {
  for (mpfr_prec_t precision = kFirstPrecision; precision <= kLastPrecision; precision *= 2) {
    const Enclosure value = enclose(precision);
    if (mpfr_nan_p(value.low)) return kRealNan;
    if (value.IsExact()) {
      // A sum of zero is -0 if rounded down and +0 if rounded up.
      if (!mpfr_regular_p(value.low)) return mpfr_get_d(value.IsZero() ? value.high : value.low, MPFR_RNDN);
      if (std::abs(mpfr_get_exp(value.low)) <= kGreatestExponent) {
        Rational rational;
        mpfr_get_q(rational.backend().data(), value.low);
        return OfRational(std::move(rational));
      }
    }
    if (value.low.Sign() >= 0 || value.high.Sign() <= 0) {
      const bool is_negative = value.low.Sign() < 0;
      return Real(std::make_shared<const Number>(std::move(enclose), is_negative));
    }
  }
  return 0.0;
}

Enclosure EnclosureOf(const Real& x, mpfr_prec_t precision) {
  if (x.number()) return x.number()->At(precision);
  Enclosure result(precision);
  mpfr_set_d(result.low, x.Representative(), MPFR_RNDN);
  mpfr_set_d(result.high, x.Representative(), MPFR_RNDN);
  return result;
}

Real::Real(double value) : special_(value) {
  if (std::isfinite(value) && value != 0) number_ = std::make_shared<const Number>(Rational(value));
}

bool Real::IsNan() const { return !number_ && std::isnan(special_); }
bool Real::IsInfinite() const { return !number_ && std::isinf(special_); }
bool Real::IsZero() const { return !number_ && special_ == 0; }
bool Real::IsNegative() const { return number_ ? number_->is_negative() : std::signbit(special_); }
double Real::Representative() const { return number_ ? (number_->is_negative() ? -1 : 1) : special_; }

std::uint64_t Real::RoundedTo(const FloatFormat& format) const {
  if (!number_) return RoundDouble(format, special_);
  if (number_->rational()) {
    Float value(128);
    const int ternary = mpfr_set_q(value, number_->rational()->backend().data(), MPFR_RNDN);
    return RoundMpfr(format, value, ternary);
  }
  // The loop ends when both ends round alike. A number that is neither in the format nor a tie between two of its
  // numbers has a positive distance from all of these. One that is has at most one bit more than the format: functions
  // of rational numbers are then exact, low = high. The remaining case is a sum, product or quotient of such functions
  // that is a tie although its operands are irrational.
  for (mpfr_prec_t precision = kFirstPrecision;; precision *= 2) {
    const Enclosure value = number_->At(precision);
    const std::uint64_t bits = RoundedEnd(format, value.low, IsNegative());
    if (bits == RoundedEnd(format, value.high, IsNegative())) return bits;
    if (precision >= kLastPrecision) return RoundedTie(format, value.low);
  }
}

Real operator-(const Real& a) {
  if (!a.number()) return -a.Representative();
  if (a.number()->rational()) return OfRational(-RationalOf(a));
  return Real(std::make_shared<const Number>([a](mpfr_prec_t precision) { return -EnclosureOf(a, precision); },
                                             !a.IsNegative()));
}

Real operator+(const Real& a, const Real& b) {
  if (!IsFinite(a) || !IsFinite(b) || (a.IsZero() && b.IsZero())) return a.Representative() + b.Representative();
  if (a.IsZero()) return b;
  if (b.IsZero()) return a;
  if (AreRational(a, b)) return OfRational(RationalOf(a) + RationalOf(b));
  return OfEnclosures([a, b](mpfr_prec_t precision) { return EnclosureOf(a, precision) + EnclosureOf(b, precision); });
}

Real operator-(const Real& a, const Real& b) { return a + -b; }

Real operator*(const Real& a, const Real& b) {
  if (!a.number() || !b.number()) return a.Representative() * b.Representative();
  if (AreRational(a, b)) return OfRational(RationalOf(a) * RationalOf(b));
  return OfEnclosures([a, b](mpfr_prec_t precision) { return EnclosureOf(a, precision) * EnclosureOf(b, precision); });
}

Real operator/(const Real& a, const Real& b) {
  if (!a.number() || !b.number()) return a.Representative() / b.Representative();
  if (AreRational(a, b)) return OfRational(RationalOf(a) / RationalOf(b));
  return OfEnclosures([a, b](mpfr_prec_t precision) { return EnclosureOf(a, precision) / EnclosureOf(b, precision); });
}

std::partial_ordering operator<=>(const Real& a, const Real& b) {
  if (!a.number() || !b.number()) return a.Representative() <=> b.Representative();
  if (AreRational(a, b)) return RationalOf(a).compare(RationalOf(b)) <=> 0;
  return (a - b).Representative() <=> 0;
}

bool IsFinite(const Real& a) { return a.number() || a.IsZero(); }
Real Abs(const Real& a) { return a.IsNegative() ? -a : a; }
Real CopySign(const Real& magnitude, const Real& sign) {
  return magnitude.IsNegative() == sign.IsNegative() ? magnitude : -magnitude;
}
Real Sign(const Real& a) { return a.IsZero() || a.IsNan() ? a : CopySign(1, a); }

Real Maximum(const Real& a, const Real& b) {
  if (a.IsNan() || b.IsNan()) return kRealNan;
  if (a == b) return a.IsNegative() ? b : a;
  return a < b ? b : a;
}
Real Minimum(const Real& a, const Real& b) {
  if (a.IsNan() || b.IsNan()) return kRealNan;
  if (a == b) return a.IsNegative() ? a : b;
  return a < b ? a : b;
}

Real Floor(const Real& a) { return FloorOf(a); }
Real Ceil(const Real& a) { return WithSignOfZero(-FloorOf(-a), a); }
Real Truncate(const Real& a) { return CopySign(FloorOf(Abs(a)), a); }
Real RoundAwayFromZero(const Real& a) { return IsFinite(a) ? CopySign(FloorOf(Abs(a) + 0.5), a) : a; }
Real RoundToEven(const Real& a) {
  if (!IsFinite(a)) return a;
  const Real nearest = FloorOf(Abs(a) + 0.5);
  const bool is_tie = nearest == Abs(a) + 0.5;
  const bool is_odd = FloorOf(nearest / 2) != nearest / 2;
  return CopySign(is_tie && is_odd ? nearest - 1 : nearest, a);
}

Real Remainder(const Real& a, const Real& b) {
  if (a.IsNan() || b.IsNan() || a.IsInfinite() || b.IsZero()) return kRealNan;
  if (a.IsZero() || b.IsInfinite()) return a;
  return WithSignOfZero(a - b * Truncate(a / b), a);
}

std::uint64_t WholeOf(const Real& a) {
  if (!a.number()) return 0;
  const WholeNumber magnitude = abs(numerator(RationalOf(a)));
  const std::uint64_t low = static_cast<std::uint64_t>(WholeNumber(magnitude & 0xffffffffffffffffu));
  return a.IsNegative() ? 0 - low : low;
}

}  // namespace assay::plain
