// Numbers enclosed in intervals, with IEEE 754's infinities and NaNs: for a chain of operations whose result must be
// the exact value rounded once.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

#include "interpreter/numerics/ball.h"
#include "interpreter/numerics/interval.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// The grain of a loop whose elements take tens of operations with EnclosedReal each (parallel.h).
inline constexpr std::int64_t kEnclosedPerPiece = 1 << 10;

// A finite number between two others, an infinity or NaN, or an unknown number. Finite numbers do not overflow: the
// exponent range of MPFR is practically unbounded. An exact sum of zero is +0.
class EnclosedReal {
 public:
  EnclosedReal(double value, mpfr_prec_t precision);

  mpfr_prec_t precision() const { return interval_.precision(); }
  bool IsPositive() const { return kind_ == Kind::kFinite && interval_.IsPositive(); }
  bool IsZero() const { return kind_ == Kind::kFinite && interval_.IsZero(); }
  bool IsFinite() const { return kind_ == Kind::kFinite; }
  // True if more precision may decide the sign. At the maximum precision, a finite number of undecided sign counts as
  // zero.
  bool HasUnknownSign() const;

  friend EnclosedReal operator-(const EnclosedReal& a);
  friend EnclosedReal operator+(const EnclosedReal& a, const EnclosedReal& b);
  friend EnclosedReal operator-(const EnclosedReal& a, const EnclosedReal& b);
  friend EnclosedReal operator*(const EnclosedReal& a, const EnclosedReal& b);
  friend EnclosedReal operator/(const EnclosedReal& a, const EnclosedReal& b);
  friend EnclosedReal Square(const EnclosedReal& a);
  friend EnclosedReal Sqrt(const EnclosedReal& a);

  // Returns the bits of the number rounded once, if they are certain.
  std::optional<std::uint64_t> Rounded(const FloatFormat& format) const;
  // Returns the bits if no precision makes them certain: see RoundedTie. An unknown number rounds to NaN.
  std::uint64_t RoundedUndecided(const FloatFormat& format) const;
  // Returns an unknown ball unless the number is finite.
  Ball ToBall() const;

  static EnclosedReal Unknown(mpfr_prec_t precision);
  // Returns the cosine and the sine of k / n turns; n > 0.
  static EnclosedReal CosineOfTurns(std::int64_t k, std::int64_t n, mpfr_prec_t precision);
  static EnclosedReal SineOfTurns(std::int64_t k, std::int64_t n, mpfr_prec_t precision);

 private:
  enum class Kind { kFinite, kSpecial, kUnknown };

  explicit EnclosedReal(Interval interval) : interval_(std::move(interval)) {}
  // Returns a double of the same class and sign, for operations whose result depends on nothing else.
  double Representative() const;
  static EnclosedReal OfRepresentatives(const EnclosedReal& a, const EnclosedReal& b, double result);

  Interval interval_;
  Kind kind_ = Kind::kFinite;
  double special_ = 0;
};

// Real and imaginary part, either Balls or EnclosedReals.
template <class Real>
struct EnclosedComplex {
  Real real, imaginary;
};

inline Ball Conjugate(const Ball& a) { return a; }
inline EnclosedReal Conjugate(const EnclosedReal& a) { return a; }
template <class Real>
EnclosedComplex<Real> Conjugate(const EnclosedComplex<Real>& a) {
  return {a.real, -a.imaginary};
}
template <class Real>
EnclosedComplex<Real> operator+(const EnclosedComplex<Real>& a, const EnclosedComplex<Real>& b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
template <class Real>
EnclosedComplex<Real> operator-(const EnclosedComplex<Real>& a, const EnclosedComplex<Real>& b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}
template <class Real>
EnclosedComplex<Real> operator*(const EnclosedComplex<Real>& a, const EnclosedComplex<Real>& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
template <class Real>
EnclosedComplex<Real> operator/(const EnclosedComplex<Real>& a, const Real& b) {
  return {a.real / b, a.imaginary / b};
}
template <class Real>
EnclosedComplex<Real> operator/(const EnclosedComplex<Real>& a, const EnclosedComplex<Real>& b) {
  if (b.imaginary.IsZero()) return a / b.real;
  return a * Conjugate(b) / (Square(b.real) + Square(b.imaginary));
}

// Returns x - a b and a / b. A zero that is no result of a computation stays exact: balls would widen it, and its bits
// would never be certain.
template <class Number>
Number MinusProduct(const Number& x, const Number& a, const Number& b) {
  return x - a * b;
}
inline Ball MinusProduct(const Ball& x, const Ball& a, const Ball& b) {
  const bool is_zero = (a.IsZero() && std::isfinite(b.hi)) || (b.IsZero() && std::isfinite(a.hi));
  return is_zero ? x : x - a * b;
}
template <class Number, class Divisor>
Number Quotient(const Number& a, const Divisor& b) {
  return a / b;
}
inline Ball Quotient(const Ball& a, const Ball& b) { return a.IsZero() && b.IsPositive() ? a : a / b; }

// The type of a number's parts.
template <class Number>
struct PartTypeOf {
  using Type = Number;
};
template <class Real>
struct PartTypeOf<EnclosedComplex<Real>> {
  using Type = Real;
};

// Returns the number at parts[index] of an array of real numbers, or of the real and imaginary parts of complex ones.
// Balls have one fixed precision.
template <class Number>
Number NumberAt(const double* parts, std::int64_t index, mpfr_prec_t precision) {
  using Part = typename PartTypeOf<Number>::Type;
  const auto part = [&](std::int64_t i) -> Part {
    if constexpr (std::is_same_v<Part, Ball>) {
      return parts[i];
    } else {
      return {parts[i], precision};
    }
  };
  if constexpr (std::is_same_v<Number, Part>) {
    return part(index);
  } else {
    return {part(2 * index), part(2 * index + 1)};
  }
}
template <class Number>
void AppendParts(const Number& number, std::vector<typename PartTypeOf<Number>::Type>& parts) {
  if constexpr (std::is_same_v<Number, typename PartTypeOf<Number>::Type>) {
    parts.push_back(number);
  } else {
    parts.insert(parts.end(), {number.real, number.imaginary});
  }
}

// The quick phase: calls store(i, bits) for every number if the bits of all are certain; otherwise returns false.
bool RoundIfCertain(const FloatFormat& format, const std::vector<Ball>& numbers,
                    const std::function<void(std::size_t, std::uint64_t)>& store);

inline constexpr mpfr_prec_t kFirstPrecision = 128;

// Calls store(i, bits) for every number of compute(precision), at a precision that makes its bits certain. Doubles the
// precision until all are certain, or until at 4096 bits only ties and zeros are left.
void RoundAtRisingPrecision(const FloatFormat& format,
                            const std::function<std::vector<EnclosedReal>(mpfr_prec_t)>& compute,
                            const std::function<void(std::size_t, std::uint64_t)>& store);

}  // namespace assay
