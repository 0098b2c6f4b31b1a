// The representation of a finite number other than zero; see real.h. Only the files that implement Real include this
// header, because Boost's headers take a second to parse.
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <functional>
#include <optional>

#include "interpreter/ops/plain/enclosure.h"
#include "interpreter/ops/plain/real.h"

namespace assay::plain {

using Rational = boost::multiprecision::mpq_rational;
using Enclose = std::function<Enclosure(mpfr_prec_t)>;

class Number {
 public:
  explicit Number(Rational value);
  Number(Enclose enclose, bool is_negative) : enclose_(std::move(enclose)), is_negative_(is_negative) {}

  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;

  bool is_negative() const { return is_negative_; }
  // The number itself, if it is known to be rational.
  const std::optional<Rational>& rational() const { return rational_; }
  // Returns an enclosure at this precision or a higher one. Caches it for numbers that depend on this one. Not
  // thread-safe.
  const Enclosure& At(mpfr_prec_t precision) const {
    if (!known_ || known_->precision() < precision) known_ = enclose_(precision);
    return *known_;
  }

 private:
  std::optional<Rational> rational_;
  Enclose enclose_;
  bool is_negative_;
  mutable std::optional<Enclosure> known_;
};

// The precision of the first enclosures. Every format has much less, so a number of the format and a tie between two of
// them are exact in it.
inline constexpr mpfr_prec_t kFirstPrecision = 96;
// A number that is not distinguished from zero, or from a tie, at this precision counts as such. This is twice the
// precision at which the kernels' enclosures end (numerics/enclosed.cc): a kernel that ends too early then differs from
// its definition.
inline constexpr mpfr_prec_t kLastPrecision = 1 << 13;

Real OfRational(Rational value);
// Returns the number between the ends of enclose(precision), for any precision; a zero, infinity or NaN if both ends
// are.
Real OfEnclosures(Enclose enclose);
// Returns an enclosure of any number, including zeros, infinities and NaNs.
Enclosure EnclosureOf(const Real& x, mpfr_prec_t precision);

}  // namespace assay::plain
