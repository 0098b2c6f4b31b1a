// Arithmetic of a machine: every operation rounds to one type.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/types/float_format.h"
#include "interpreter/types/literal.h"

namespace assay {

// True for the types in which units that flush subnormal numbers compute. Narrower types are only stored, and tables
// widen them.
bool MayFlush(PrimitiveType type);

// The arithmetic of a type, on numbers held as doubles. Rounding a sum, product, quotient or root to double and then to
// at most 24 bits equals rounding once (Figueroa 1995).
class Arithmetic {
 public:
  // With `flushes`, subnormal results become zeros of their sign if units flush the type.
  explicit Arithmetic(PrimitiveType type, bool flushes = false);

  PrimitiveType type() const { return type_; }
  bool flushes() const { return flushes_; }
  double Round(double x) const;
  double Add(double a, double b) const { return Round(a + b); }
  double Subtract(double a, double b) const { return Round(a - b); }
  double Multiply(double a, double b) const { return Round(a * b); }
  double Divide(double a, double b) const { return Round(a / b); }
  double SquareRoot(double a) const;
  // Returns a * b + c with one rounding.
  double MultiplyAdd(double a, double b, double c) const;

 private:
  PrimitiveType type_;
  const FloatFormat& format_;
  double least_normal_;
  bool flushes_;
};

struct ComplexNumber {
  double real = 0;
  double imaginary = 0;
};
ComplexNumber Add(const Arithmetic& arithmetic, ComplexNumber a, ComplexNumber b);
ComplexNumber Subtract(const Arithmetic& arithmetic, ComplexNumber a, ComplexNumber b);
ComplexNumber Multiply(const Arithmetic& arithmetic, ComplexNumber a, ComplexNumber b);
// Divides by a divisor that is not zero.
ComplexNumber Divide(const Arithmetic& arithmetic, ComplexNumber a, ComplexNumber b);

// Convert between arrays of floats or complex numbers and their real components, rounded to the shape's type.
std::vector<double> RealsOf(const Literal& array);
Literal ArrayOf(const Shape& shape, const std::vector<double>& reals);
// Convert between arrays of either kind and complex numbers. A real array loses the imaginary parts.
std::vector<ComplexNumber> ComplexNumbers(const Literal& array);
Literal ArrayOf(const Shape& shape, const std::vector<ComplexNumber>& numbers);

// True for an array of floats or complex numbers.
bool HasReals(const Shape& shape);

}  // namespace assay
