#include "interpreter/numerics/enclosed.h"

#include <cmath>
#include <limits>

#include "interpreter/numerics/certain.h"
#include "interpreter/numerics/round.h"

namespace assay {
namespace {

// The exact sum of doubles needs 2099 bits and its carries; twice that represents the leading half of the square of
// one.
constexpr mpfr_prec_t kMostEnclosedPrecision = 4096;

}  // namespace

EnclosedReal::EnclosedReal(double value, mpfr_prec_t precision)
    : interval_(std::isfinite(value) ? value : 0, precision),
      kind_(std::isfinite(value) ? Kind::kFinite : Kind::kSpecial),
      special_(std::isfinite(value) ? 0 : value) {}

EnclosedReal EnclosedReal::Unknown(mpfr_prec_t precision) {
  EnclosedReal result(0, precision);
  result.kind_ = Kind::kUnknown;
  return result;
}

EnclosedReal EnclosedReal::CosineOfTurns(std::int64_t k, std::int64_t n, mpfr_prec_t precision) {
  return EnclosedReal(Interval::CosineOfTurns(k, n, precision));
}

EnclosedReal EnclosedReal::SineOfTurns(std::int64_t k, std::int64_t n, mpfr_prec_t precision) {
  return EnclosedReal(Interval::SineOfTurns(k, n, precision));
}

bool EnclosedReal::HasUnknownSign() const {
  if (kind_ == Kind::kUnknown) return true;
  if (kind_ == Kind::kSpecial || precision() >= kMostEnclosedPrecision) return false;
  return !interval_.IsPositive() && !interval_.IsNegative() && !interval_.IsZero();
}

double EnclosedReal::Representative() const {
  if (kind_ == Kind::kSpecial) return special_;
  if (interval_.IsZero()) return mpfr_signbit(interval_.high()) != 0 ? -0.0 : 0.0;
  if (interval_.IsPositive()) return 1;
  return interval_.IsNegative() ? -1 : 0;
}

EnclosedReal EnclosedReal::OfRepresentatives(const EnclosedReal& a, const EnclosedReal& b, double result) {
  const bool is_known =
      (!a.HasUnknownSign() && !b.HasUnknownSign()) || std::isnan(a.special_) || std::isnan(b.special_);
  return is_known ? EnclosedReal(result, a.precision()) : Unknown(a.precision());
}

EnclosedReal operator-(const EnclosedReal& a) {
  EnclosedReal result(-a.interval_);
  result.kind_ = a.kind_;
  result.special_ = -a.special_;
  return result;
}

EnclosedReal operator+(const EnclosedReal& a, const EnclosedReal& b) {
  if (a.IsFinite() && b.IsFinite()) return EnclosedReal(a.interval_ + b.interval_);
  return EnclosedReal::OfRepresentatives(a, b, a.Representative() + b.Representative());
}

EnclosedReal operator-(const EnclosedReal& a, const EnclosedReal& b) {
  if (a.IsFinite() && b.IsFinite()) return EnclosedReal(a.interval_ - b.interval_);
  return EnclosedReal::OfRepresentatives(a, b, a.Representative() - b.Representative());
}

EnclosedReal operator*(const EnclosedReal& a, const EnclosedReal& b) {
  if (a.IsFinite() && b.IsFinite()) return EnclosedReal(a.interval_ * b.interval_);
  return EnclosedReal::OfRepresentatives(a, b, a.Representative() * b.Representative());
}

EnclosedReal operator/(const EnclosedReal& a, const EnclosedReal& b) {
  if (a.IsFinite() && b.IsPositive()) return EnclosedReal(a.interval_ / b.interval_);
  if (a.IsFinite() && b.IsFinite() && b.interval_.IsNegative()) return EnclosedReal(-a.interval_ / -b.interval_);
  return EnclosedReal::OfRepresentatives(a, b, a.Representative() / b.Representative());
}

EnclosedReal Square(const EnclosedReal& a) {
  if (a.IsFinite()) return EnclosedReal(Square(a.interval_));
  return a * a;
}

EnclosedReal Sqrt(const EnclosedReal& a) {
  if (a.HasUnknownSign()) return EnclosedReal::Unknown(a.precision());
  if (a.IsPositive() || a.IsZero()) return EnclosedReal(Sqrt(a.interval_));
  return {std::sqrt(a.Representative()), a.precision()};
}

std::optional<std::uint64_t> EnclosedReal::Rounded(const FloatFormat& format) const {
  if (kind_ == Kind::kFinite) return RoundedIfCertain(format, interval_);
  if (kind_ == Kind::kUnknown) return std::nullopt;
  return std::isnan(special_) ? format.nan_bits(false) : RoundDouble(format, special_);
}

std::uint64_t EnclosedReal::RoundedUndecided(const FloatFormat& format) const {
  return kind_ == Kind::kFinite ? RoundedTie(format, interval_) : format.nan_bits(false);
}

Ball EnclosedReal::ToBall() const {
  if (kind_ != Kind::kFinite) return Ball::Unknown();
  mpfr_t rest;
  mpfr_init2(rest, interval_.precision());
  const double high = mpfr_get_d(interval_.low(), MPFR_RNDN);
  mpfr_sub_d(rest, interval_.low(), high, MPFR_RNDN);  // exact if the difference has at most as many bits as a double
  const double low = mpfr_get_d(rest, MPFR_RNDN);
  mpfr_sub(rest, interval_.high(), interval_.low(), MPFR_RNDU);
  const double width = mpfr_get_d(rest, MPFR_RNDU);
  mpfr_clear(rest);
  return {high, low, RoundedUp(width + std::fabs(high) * kBallError)};
}

bool RoundIfCertain(const FloatFormat& format, const std::vector<Ball>& numbers,
                    const std::function<void(std::size_t, std::uint64_t)>& store) {
  std::vector<std::uint64_t> bits;
  for (const Ball& number : numbers) {
    // A zero that is no result of a computation.
    const bool is_zero = number.IsZero() && !std::signbit(number.hi);
    const auto certain = is_zero ? std::optional(RoundDouble(format, 0)) : CertainBits(format, number);
    if (!certain) return false;
    bits.push_back(*certain);
  }
  for (std::size_t i = 0; i < bits.size(); ++i) store(i, bits[i]);
  return true;
}

void RoundAtRisingPrecision(const FloatFormat& format,
                            const std::function<std::vector<EnclosedReal>(mpfr_prec_t)>& compute,
                            const std::function<void(std::size_t, std::uint64_t)>& store) {
  for (mpfr_prec_t precision = kFirstPrecision;; precision *= 2) {
    const std::vector<EnclosedReal> numbers = compute(precision);
    bool all_certain = true;
    for (std::size_t i = 0; i < numbers.size() && (all_certain || precision == kMostEnclosedPrecision); ++i) {
      const auto bits = numbers[i].Rounded(format);
      all_certain = all_certain && bits.has_value();
      if (bits) store(i, *bits);
      if (!bits && precision == kMostEnclosedPrecision) store(i, numbers[i].RoundedUndecided(format));
    }
    if (all_certain || precision == kMostEnclosedPrecision) return;
  }
}

}  // namespace assay
