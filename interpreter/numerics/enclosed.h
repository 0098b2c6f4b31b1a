// Numbers known to lie in intervals, with IEEE 754's infinities and NaNs: what a chain of operations is computed in
// when its result has to be the exact value rounded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "interpreter/numerics/ball.h"
#include "interpreter/numerics/interval.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// A finite number between two others, an infinity or NaN, or nothing known yet. Finite numbers never overflow: the
// exponents of MPFR are as good as unbounded. An exact sum of zero is +0.
class EnclosedReal {
 public:
  EnclosedReal(double value, mpfr_prec_t precision);

  mpfr_prec_t precision() const { return interval_.precision(); }
  bool IsPositive() const { return kind_ == Kind::kFinite && interval_.IsPositive(); }
  bool IsZero() const { return kind_ == Kind::kFinite && interval_.IsZero(); }
  bool IsFinite() const { return kind_ == Kind::kFinite; }
  // More precision may tell whether it is positive.
  bool HasUnknownSign() const;

  friend EnclosedReal operator-(const EnclosedReal& a);
  friend EnclosedReal operator+(const EnclosedReal& a, const EnclosedReal& b);
  friend EnclosedReal operator-(const EnclosedReal& a, const EnclosedReal& b);
  friend EnclosedReal operator*(const EnclosedReal& a, const EnclosedReal& b);
  friend EnclosedReal operator/(const EnclosedReal& a, const EnclosedReal& b);
  friend EnclosedReal Square(const EnclosedReal& a);
  friend EnclosedReal Sqrt(const EnclosedReal& a);

  // The bits of the number rounded once, if they are certain.
  std::optional<std::uint64_t> Rounded(const FloatFormat& format) const;
  // The bits when no precision makes them certain: see RoundedTie. An unknown number is NaN.
  std::uint64_t RoundedUndecided(const FloatFormat& format) const;
  // Unknown where it is not finite.
  Ball ToBall() const;

  static EnclosedReal Unknown(mpfr_prec_t precision);

 private:
  enum class Kind { kFinite, kSpecial, kUnknown };

  explicit EnclosedReal(Interval interval) : interval_(std::move(interval)) {}
  // A double of the same class and sign, for operations whose result depends on nothing else.
  double Representative() const;
  static EnclosedReal OfRepresentatives(const EnclosedReal& a, const EnclosedReal& b, double result);

  Interval interval_;
  Kind kind_ = Kind::kFinite;
  double special_ = 0;
};

inline EnclosedReal Conjugate(const EnclosedReal& a) { return a; }

struct EnclosedComplex {
  EnclosedReal real;
  EnclosedReal imaginary;
};
inline EnclosedComplex Conjugate(const EnclosedComplex& a) { return {a.real, -a.imaginary}; }
EnclosedComplex operator-(const EnclosedComplex& a, const EnclosedComplex& b);
EnclosedComplex operator*(const EnclosedComplex& a, const EnclosedComplex& b);
EnclosedComplex operator/(const EnclosedComplex& a, const EnclosedReal& b);
EnclosedComplex operator/(const EnclosedComplex& a, const EnclosedComplex& b);

// The numbers at parts[index] of an array of real numbers, or of the real and imaginary parts of complex ones.
template <class Number>
Number NumberAt(const double* parts, std::int64_t index, mpfr_prec_t precision);
template <>
inline EnclosedReal NumberAt(const double* parts, std::int64_t index, mpfr_prec_t precision) {
  return {parts[index], precision};
}
template <>
inline EnclosedComplex NumberAt(const double* parts, std::int64_t index, mpfr_prec_t precision) {
  return {{parts[2 * index], precision}, {parts[2 * index + 1], precision}};
}
inline void AppendParts(const EnclosedReal& number, std::vector<EnclosedReal>& parts) { parts.push_back(number); }
inline void AppendParts(const EnclosedComplex& number, std::vector<EnclosedReal>& parts) {
  parts.push_back(number.real);
  parts.push_back(number.imaginary);
}

inline constexpr mpfr_prec_t kFirstPrecision = 128;

// Calls store(i, bits) for every number of compute(precision), at a precision that makes its bits certain: the
// precision is doubled until all are, or until 4096 bits leave only those that are ties or zero.
void RoundAtRisingPrecision(const FloatFormat& format,
                            const std::function<std::vector<EnclosedReal>(mpfr_prec_t)>& compute,
                            const std::function<void(std::size_t, std::uint64_t)>& store);

}  // namespace assay
