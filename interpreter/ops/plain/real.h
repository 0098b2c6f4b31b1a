// Real numbers for the definitions of element-wise ops: exact, with the infinities, NaNs and signed zeros of IEEE 754.
// Functions have the names that machine numbers and integers use (numerics/real.h, numerics/integer.h), so that one
// line defines an op for all of them. Nothing overflows, and RoundedTo is the only rounding.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>

#include "interpreter/types/float_format.h"

namespace assay::plain {

// A rational number, or one that is enclosed at any precision: a root, a value of a function, or a result of arithmetic
// on these.
class Number;

class Real {
 public:
  Real(double value);  // exact
  explicit Real(std::shared_ptr<const Number> number) : number_(std::move(number)) {}

  bool IsNan() const;
  bool IsInfinite() const;
  bool IsZero() const;
  // True for a set sign, also of zeros, infinities and NaNs.
  bool IsNegative() const;
  const Number* number() const { return number_.get(); }
  const std::shared_ptr<const Number>& shared_number() const { return number_; }
  // Returns an equal double if this is zero, infinite or NaN; otherwise 1 with the number's sign. It determines the
  // class and the sign of a product, a quotient or a sum.
  double Representative() const;

  // Returns the bits of the number rounded once. NaNs keep their sign and as much of their payload as the format holds.
  std::uint64_t RoundedTo(const FloatFormat& format) const;

 private:
  double special_ = 0;                    // a zero, infinity or NaN, unless number_ is set
  std::shared_ptr<const Number> number_;  // a finite number other than zero
};

// Arithmetic with IEEE 754's results for zeros, infinities and NaNs. An exact sum of zero is +0.
Real operator-(const Real& a);
Real operator+(const Real& a, const Real& b);
Real operator-(const Real& a, const Real& b);
Real operator*(const Real& a, const Real& b);
Real operator/(const Real& a, const Real& b);

// Compares numbers. NaN is unordered, and zeros are equal.
std::partial_ordering operator<=>(const Real& a, const Real& b);
inline bool operator==(const Real& a, const Real& b) { return (a <=> b) == 0; }

bool IsFinite(const Real& a);
Real Abs(const Real& a);
// Returns -1 or 1; returns zero and NaN unchanged.
Real Sign(const Real& a);
// Returns the magnitude of one number with the sign of the other.
Real CopySign(const Real& magnitude, const Real& sign);
// Implement maximum and minimum of IEEE 754-2019 (9.6): NaN if either operand is, and -0 is less than +0.
Real Maximum(const Real& a, const Real& b);
Real Minimum(const Real& a, const Real& b);

// For rational numbers only. A zero result has the sign of the operand, or of the dividend.
Real Floor(const Real& a);
Real Ceil(const Real& a);
Real Truncate(const Real& a);
Real RoundAwayFromZero(const Real& a);  // ties away from zero
Real RoundToEven(const Real& a);        // ties to even
// a - b * trunc(a / b).
Real Remainder(const Real& a, const Real& b);

// Returns the low 64 bits of a whole number, in two's complement.
std::uint64_t WholeOf(const Real& a);

// Special values are those of IEEE 754-2019 clause 9 and C Annex F.
Real Sqrt(const Real& x);
Real Rsqrt(const Real& x);
Real Cbrt(const Real& x);
Real Exp(const Real& x);
Real Expm1(const Real& x);
Real Log(const Real& x);
Real Log1p(const Real& x);
Real Logistic(const Real& x);
Real Erf(const Real& x);
Real Sin(const Real& x);
Real Cos(const Real& x);
Real Tan(const Real& x);
Real Asin(const Real& x);
Real Acos(const Real& x);
Real Atan(const Real& x);
Real Sinh(const Real& x);
Real Cosh(const Real& x);
Real Tanh(const Real& x);
Real Asinh(const Real& x);
Real Acosh(const Real& x);
Real Atanh(const Real& x);
Real Power(const Real& base, const Real& exponent);
Real Atan2(const Real& y, const Real& x);

}  // namespace assay::plain
