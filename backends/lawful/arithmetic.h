// Arithmetic as a machine does it: every operation rounds to one type.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/types/float_format.h"
#include "interpreter/types/literal.h"

namespace assay {

// Units that flush subnormal numbers compute in these types; narrower ones are only stored, and widened by tables.
bool MayFlush(PrimitiveType type);

// The numbers of a type, held as doubles. Rounding a sum, product, quotient or root twice, to double and then to at
// most 24 bits, is rounding once (Figueroa 1995).
class Arithmetic {
 public:
  // With `flushes`, subnormal results are zeros of their sign, where units flush the type.
  explicit Arithmetic(PrimitiveType type, bool flushes = false);

  PrimitiveType type() const { return type_; }
  bool flushes() const { return flushes_; }
  double Round(double x) const;
  double Add(double a, double b) const { return Round(a + b); }
  double Subtract(double a, double b) const { return Round(a - b); }
  double Multiply(double a, double b) const { return Round(a * b); }
  double Divide(double a, double b) const { return Round(a / b); }
  double SquareRoot(double a) const;
  // a * b + c, the product unrounded.
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
// Of a divisor that is not zero.
ComplexNumber Divide(const Arithmetic& arithmetic, ComplexNumber a, ComplexNumber b);

// The real components of an array of floats or complex numbers, and back: rounded to the shape's type.
std::vector<double> RealsOf(const Literal& array);
Literal ArrayOf(const Shape& shape, const std::vector<double>& reals);
// The elements of either kind as complex numbers, and back: the imaginary parts of a real array are dropped.
std::vector<ComplexNumber> ComplexNumbers(const Literal& array);
Literal ArrayOf(const Shape& shape, const std::vector<ComplexNumber>& numbers);

// An array of floats or complex numbers.
bool HasReals(const Shape& shape);

}  // namespace assay
