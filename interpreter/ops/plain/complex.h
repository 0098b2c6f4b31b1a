// Complex numbers for the definitions of element-wise ops: two exact parts (real.h). Special values are those of C
// Annex G; docs/numerics.md#complex lists them for functions that C lacks.
#pragma once

#include <compare>

#include "interpreter/ops/plain/real.h"

namespace assay::plain {

struct Complex {
  Real real, imaginary;
};

inline Complex operator-(const Complex& z) { return {-z.real, -z.imaginary}; }
inline Complex operator+(const Complex& a, const Complex& b) { return {a.real + b.real, a.imaginary + b.imaginary}; }
inline Complex operator-(const Complex& a, const Complex& b) { return {a.real - b.real, a.imaginary - b.imaginary}; }
Complex operator*(const Complex& a, const Complex& b);
Complex operator/(const Complex& a, const Complex& b);
inline bool operator==(const Complex& a, const Complex& b) { return a.real == b.real && a.imaginary == b.imaginary; }

// Return the larger and the smaller number in clamp's order: by the real parts, then by the imaginary ones. Equal
// numbers differ at most in the signs of zeros; the maximum then has the larger zero in each part. NaN if a part of
// either is.
Complex Maximum(const Complex& a, const Complex& b);
Complex Minimum(const Complex& a, const Complex& b);

Real Abs(const Complex& z);
Complex Sign(const Complex& z);
Complex Sqrt(const Complex& z);
Complex Rsqrt(const Complex& z);
Complex Exp(const Complex& z);
Complex Expm1(const Complex& z);
Complex Log(const Complex& z);
Complex Log1p(const Complex& z);
Complex Logistic(const Complex& z);
Complex Sin(const Complex& z);
Complex Cos(const Complex& z);
Complex Tan(const Complex& z);
Complex Asin(const Complex& z);
Complex Acos(const Complex& z);
Complex Atan(const Complex& z);
Complex Sinh(const Complex& z);
Complex Cosh(const Complex& z);
Complex Tanh(const Complex& z);
Complex Asinh(const Complex& z);
Complex Acosh(const Complex& z);
Complex Atanh(const Complex& z);
Complex Power(const Complex& base, const Complex& exponent);
Complex Atan2(const Complex& y, const Complex& x);

}  // namespace assay::plain
