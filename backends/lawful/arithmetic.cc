#include "backends/lawful/arithmetic.h"

#include <cmath>

#include "interpreter/numerics/round.h"

namespace assay {

bool MayFlush(PrimitiveType type) { return type == F64 || type == F32 || type == F16 || type == BF16; }

Arithmetic::Arithmetic(PrimitiveType type, bool flushes)
    : type_(type),
      format_(FloatFormatOf(type)),
      least_normal_(std::ldexp(1.0, format_.min_exponent())),
      flushes_(flushes && MayFlush(type)) {}

double Arithmetic::Round(double x) const {
  if (type_ == F32) {
    x = static_cast<float>(x);
  } else if (type_ != F64) {
    x = ToDouble(format_, RoundDouble(format_, x));
  }
  return flushes_ && std::fabs(x) < least_normal_ ? std::copysign(0.0, x) : x;
}

double Arithmetic::SquareRoot(double a) const { return Round(std::sqrt(a)); }

double Arithmetic::MultiplyAdd(double a, double b, double c) const { return Round(std::fma(a, b, c)); }

ComplexNumber Add(const Arithmetic& arithmetic, ComplexNumber a, ComplexNumber b) {
  return {arithmetic.Add(a.real, b.real), arithmetic.Add(a.imaginary, b.imaginary)};
}

ComplexNumber Subtract(const Arithmetic& arithmetic, ComplexNumber a, ComplexNumber b) {
  return {arithmetic.Subtract(a.real, b.real), arithmetic.Subtract(a.imaginary, b.imaginary)};
}

ComplexNumber Multiply(const Arithmetic& arithmetic, ComplexNumber a, ComplexNumber b) {
  return {arithmetic.Subtract(arithmetic.Multiply(a.real, b.real), arithmetic.Multiply(a.imaginary, b.imaginary)),
          arithmetic.Add(arithmetic.Multiply(a.real, b.imaginary), arithmetic.Multiply(a.imaginary, b.real))};
}

// R. L. Smith, Algorithm 116: Complex division, Comm. ACM 5 (1962). It avoids squares of the parts, which might
// overflow.
ComplexNumber Divide(const Arithmetic& arithmetic, ComplexNumber a, ComplexNumber b) {
  if (b.imaginary == 0) return {arithmetic.Divide(a.real, b.real), arithmetic.Divide(a.imaginary, b.real)};
  if (std::fabs(b.real) < std::fabs(b.imaginary)) {
    // Multiplies both by -i.
    a = {a.imaginary, -a.real};
    b = {b.imaginary, -b.real};
  }
  const double ratio = arithmetic.Divide(b.imaginary, b.real);
  const double denominator = arithmetic.Add(b.real, arithmetic.Multiply(b.imaginary, ratio));
  return {arithmetic.Divide(arithmetic.Add(a.real, arithmetic.Multiply(a.imaginary, ratio)), denominator),
          arithmetic.Divide(arithmetic.Subtract(a.imaginary, arithmetic.Multiply(a.real, ratio)), denominator)};
}

std::vector<double> RealsOf(const Literal& array) {
  const PrimitiveType type = ComplexComponentType(array.element_type());
  std::vector<double> reals(array.element_count() * ComponentCount(array.element_type()));
  LoadReals(type, array.data(), reals.data(), static_cast<std::int64_t>(reals.size()));
  return reals;
}

Literal ArrayOf(const Shape& shape, const std::vector<double>& reals) {
  Literal array(shape);
  StoreReals(ComplexComponentType(shape.element_type()), reals.data(), array.mutable_data(),
             static_cast<std::int64_t>(reals.size()));
  return array;
}

std::vector<ComplexNumber> ComplexNumbers(const Literal& array) {
  const std::vector<double> reals = RealsOf(array);
  std::vector<ComplexNumber> numbers(array.element_count());
  const bool is_complex = IsComplexType(array.element_type());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = is_complex ? ComplexNumber{reals[2 * i], reals[2 * i + 1]} : ComplexNumber{reals[i], 0};
  }
  return numbers;
}

Literal ArrayOf(const Shape& shape, const std::vector<ComplexNumber>& numbers) {
  std::vector<double> reals;
  for (const ComplexNumber& number : numbers) {
    reals.push_back(number.real);
    if (IsComplexType(shape.element_type())) reals.push_back(number.imaginary);
  }
  return ArrayOf(shape, reals);
}

bool HasReals(const Shape& shape) { return IsInexactType(shape.element_type()); }

}  // namespace assay
