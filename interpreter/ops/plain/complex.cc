#include "interpreter/ops/plain/complex.h"

#include <bit>
#include <cmath>
#include <complex>
#include <limits>

namespace assay::plain {
namespace {

using ComplexDouble = std::complex<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kComplexNan = std::numeric_limits<double>::quiet_NaN();

bool HasNan(const Complex& z) { return z.real.IsNan() || z.imaginary.IsNan(); }
bool IsFinite(const Complex& z) { return IsFinite(z.real) && IsFinite(z.imaginary); }
bool IsInfinite(const Complex& z) { return z.real.IsInfinite() || z.imaginary.IsInfinite(); }
bool IsZero(const Complex& z) { return z.real.IsZero() && z.imaginary.IsZero(); }

Complex TimesI(const Complex& z) { return {-z.imaginary, z.real}; }
Complex ByI(const Complex& z) { return {z.imaginary, -z.real}; }

Real Square(const Real& x) { return x * x; }
Real SumOfSquares(const Complex& z) { return Square(z.real) + Square(z.imaginary); }

// Maps an infinity to a point of the square of side 2: infinite parts to its sides, finite parts and NaN to 0.
Real OnSquare(const Real& part) { return CopySign(part.IsInfinite() ? 1 : 0, part); }
Complex OnSquare(const Complex& z) { return {OnSquare(z.real), OnSquare(z.imaginary)}; }
Complex NanAsZero(const Complex& z) {
  const auto part = [](const Real& x) { return x.IsNan() ? CopySign(0, x) : x; };
  return {part(z.real), part(z.imaginary)};
}

Complex ComplexProduct(const Complex& a, const Complex& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

Complex ScaledComplex(const Real& factor, const Complex& z) { return {factor * z.real, factor * z.imaginary}; }
Complex Conjugate(const Complex& z) { return {z.real, -z.imaginary}; }

double DoubleOf(const Real& x) { return std::bit_cast<double>(x.RoundedTo(FloatFormatOf(F64))); }

// Returns the result of a C library function for an infinite or NaN operand.
template <class Function>
Complex AtInfinity(Function function, const Complex& z) {
  const ComplexDouble value = function(ComplexDouble(DoubleOf(z.real), DoubleOf(z.imaginary)));
  return {value.real(), value.imag()};
}

// For z = x + iy in the first quadrant, r = |z + 1| and s = |z - 1|: a = (r + s) / 2 and b = (r - s) / 2 = x / a are
// the axes of the ellipse and hyperbola through z with foci at -1 and 1. asin z = asin b + i acosh a (Hull, Fairgrieve
// and Tang, 1997).
struct Confocal {
  Real acosh;
  Real b;
};
Confocal ConfocalOf(const Real& x, const Real& y) {
  const Real r = Sqrt(Square(x + 1) + Square(y)), s = Sqrt(Square(x - 1) + Square(y));
  const Real a = (r + s) / 2;
  return {Acosh(a), x / a};
}

}  // namespace

// C Annex G.5.1: a product that is not NaN in both parts is kept. Otherwise an infinite factor makes it infinite.
Complex operator*(const Complex& a, const Complex& b) {
  const Complex product = ComplexProduct(a, b);
  if (!product.real.IsNan() || !product.imaginary.IsNan()) return product;
  if (!IsInfinite(a) && !IsInfinite(b)) return product;
  const Complex x = IsInfinite(a) ? OnSquare(a) : NanAsZero(a);
  const Complex y = IsInfinite(b) ? OnSquare(b) : NanAsZero(b);
  return ScaledComplex(kInfinity, ComplexProduct(x, y));
}

// C Annex G.5.1: a number over zero is infinite, as is an infinity over a number. A number over an infinity is zero.
Complex operator/(const Complex& a, const Complex& b) {
  const Complex dividend = ComplexProduct(a, Conjugate(b));
  const Real divisor = SumOfSquares(b);
  const Complex quotient = {dividend.real / divisor, dividend.imaginary / divisor};
  if (!quotient.real.IsNan() || !quotient.imaginary.IsNan()) return quotient;
  if (IsZero(b) && (!a.real.IsNan() || !a.imaginary.IsNan())) return ScaledComplex(CopySign(kInfinity, b.real), a);
  if (IsInfinite(a) && IsFinite(b)) return ScaledComplex(kInfinity, ComplexProduct(OnSquare(a), Conjugate(b)));
  if (IsFinite(a) && IsInfinite(b)) return ScaledComplex(0, ComplexProduct(a, Conjugate(OnSquare(b))));
  return quotient;
}

Complex Maximum(const Complex& a, const Complex& b) {
  if (HasNan(a) || HasNan(b)) return HasNan(a) ? a : b;
  if (a == b) return {Maximum(a.real, b.real), Maximum(a.imaginary, b.imaginary)};
  return a.real < b.real || (a.real == b.real && a.imaginary < b.imaginary) ? b : a;
}
Complex Minimum(const Complex& a, const Complex& b) {
  if (HasNan(a) || HasNan(b)) return HasNan(a) ? a : b;
  if (a == b) return {Minimum(a.real, b.real), Minimum(a.imaginary, b.imaginary)};
  return Maximum(a, b) == b ? a : b;
}

Real Abs(const Complex& z) { return IsInfinite(z) ? Real(kInfinity) : Sqrt(SumOfSquares(z)); }

Complex Sign(const Complex& z) {
  if (IsZero(z)) return z;
  const Real length = Abs(z);
  return {z.real / length, z.imaginary / length};
}

// The principal root u + iv: u^2 = (|z| + a) / 2 and uv = b / 2 for a > 0; otherwise the parts are exchanged.
Complex Sqrt(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::sqrt(x); }, z);
  if (IsZero(z)) return {0, z.imaginary};
  const Real greater = Sqrt((Abs(z) + Abs(z.real)) / 2);
  const Real lesser = Abs(z.imaginary) / (2 * greater);
  if (z.real.IsNegative()) return {lesser, CopySign(greater, z.imaginary)};
  return {greater, CopySign(lesser, z.imaginary)};
}

// The conjugate of the root over |z|.
Complex Rsqrt(const Complex& z) {
  if (IsZero(z)) return {kInfinity, kComplexNan};
  const Complex root = Sqrt(z);
  if (IsInfinite(z)) return {CopySign(0, root.real), CopySign(0, -root.imaginary)};
  if (!IsFinite(z)) return root;
  const Real length = Abs(z);
  return {root.real / length, -root.imaginary / length};
}

Complex Exp(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::exp(x); }, z);
  const Real length = Exp(z.real);
  return {length * Cos(z.imaginary), length * Sin(z.imaginary)};
}

Complex Expm1(const Complex& z) {
  const Complex power = Exp(z);
  if (!IsFinite(z)) return {power.real - 1, power.imaginary};
  return {z.imaginary.IsZero() ? Expm1(z.real) : power.real - 1, power.imaginary};
}

Complex Log(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::log(x); }, z);
  return {Log(SumOfSquares(z)) / 2, Atan2(z.imaginary, z.real)};
}

Complex Log1p(const Complex& z) {
  const Complex logarithm = Log({1 + z.real, z.imaginary});
  return {IsFinite(z) && z.imaginary.IsZero() && z.real >= -1 ? Log1p(z.real) : logarithm.real, logarithm.imaginary};
}

// 1 / (1 + e^-z). With p = e^-|a| and c = cos b: (1 + pc + i p sin b) / (1 + 2pc + p^2) for a >= 0. For a < 0 the
// result is 1 minus that of the other side.
Complex Logistic(const Complex& z) {
  if (!IsFinite(z)) {
    const Complex power = Exp(-z);
    return Complex{1, 0} / Complex{power.real + 1, power.imaginary};
  }
  const Real p = Exp(-Abs(z.real)), c = Cos(z.imaginary);
  const Real square = 1 + 2 * p * c + p * p;
  const Real along = z.real.IsNegative() ? p * (p + c) : 1 + p * c;
  return {along / square, p * Sin(z.imaginary) / square};
}

Complex Sinh(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::sinh(x); }, z);
  return {Sinh(z.real) * Cos(z.imaginary), Cosh(z.real) * Sin(z.imaginary)};
}

Complex Cosh(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::cosh(x); }, z);
  return {Cosh(z.real) * Cos(z.imaginary), Sinh(z.real) * Sin(z.imaginary)};
}

// With t = tanh a and k = tan b: (t + ik) / (1 + itk), where 1 - t^2 = 1 / cosh^2 a.
Complex Tanh(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::tanh(x); }, z);
  const Real t = Tanh(z.real), k = Tan(z.imaginary);
  const Real square = 1 + Square(t) * Square(k);
  return {t * (1 + Square(k)) / square, k / (Square(Cosh(z.real)) * square)};
}

Complex Sin(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::sin(x); }, z);
  return ByI(Sinh(TimesI(z)));
}

Complex Cos(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::cos(x); }, z);
  return Cosh(TimesI(z));
}

Complex Tan(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::tan(x); }, z);
  return ByI(Tanh(TimesI(z)));
}

Complex Asinh(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::asinh(x); }, z);
  const auto [acosh, b] = ConfocalOf(Abs(z.imaginary), Abs(z.real));
  return {CopySign(acosh, z.real), CopySign(Asin(b), z.imaginary)};
}

Complex Asin(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::asin(x); }, z);
  return ByI(Asinh(TimesI(z)));
}

Complex Acos(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::acos(x); }, z);
  const auto [acosh, b] = ConfocalOf(Abs(z.real), Abs(z.imaginary));
  return {Acos(CopySign(b, z.real)), CopySign(acosh, -z.imaginary)};
}

// i acos z or -i acos z, whichever has a non-negative real part.
Complex Acosh(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::acosh(x); }, z);
  const Complex angle = Acos(z);
  return {Abs(angle.imaginary), CopySign(angle.real, z.imaginary)};
}

// log((1 + z) / (1 - z)) / 2
Complex Atanh(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::atanh(x); }, z);
  const Real ratio = (Square(1 + z.real) + Square(z.imaginary)) / (Square(1 - z.real) + Square(z.imaginary));
  return {CopySign(Abs(Log(ratio)) / 4, z.real), Atan2(2 * z.imaginary, 1 - SumOfSquares(z)) / 2};
}

Complex Atan(const Complex& z) {
  if (!IsFinite(z)) return AtInfinity([](ComplexDouble x) { return std::atan(x); }, z);
  return ByI(Atanh(TimesI(z)));
}

// e^(w log z); z^0 = 1^w = 1, and 0^w is 0 or undefined.
Complex Power(const Complex& base, const Complex& exponent) {
  if (IsZero(exponent) || base == Complex{1, 0}) return {1, 0};
  if (!IsFinite(base) || !IsFinite(exponent)) return Exp(exponent * Log(base));
  if (IsZero(base)) return exponent.real > 0 ? Complex{0, 0} : Complex{kComplexNan, kComplexNan};
  return Exp(ComplexProduct(exponent, Log(base)));
}

// -i log(w), w = p / s, with p = x + iy and s the principal root of x^2 + y^2 = pq, q = x - iy. |w|^2 = |p| / |q|.
// Zeros count as +0.
Complex Atan2(const Complex& y, const Complex& x) {
  if (!IsFinite(y) || !IsFinite(x)) return {kComplexNan, kComplexNan};
  const Complex zero = {0, 0};
  const Complex p = x + TimesI(y) + zero, q = x - TimesI(y) + zero;
  if (IsZero(p) || IsZero(q)) return {kComplexNan, kComplexNan};
  const Complex w = ComplexProduct(p, Conjugate(Sqrt(ComplexProduct(p, q) + zero)));  // times a positive number
  return {Atan2(w.imaginary + 0, w.real + 0), Log(SumOfSquares(q) / SumOfSquares(p)) / 4};
}

}  // namespace assay::plain
