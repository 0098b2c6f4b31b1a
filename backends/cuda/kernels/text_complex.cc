#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

// Complex numbers are computed in f64, including those of c64. Functions of infinite operands follow C (Annex G) if the
// result is finite.
const std::string_view kTextOfComplex = R"(
struct c64 { f32 real, imag; };
struct c128 { f64 real, imag; };
struct complex { f64 real, imag; };

inline complex value(c64 z) { return complex{z.real, z.imag}; }
inline complex value(c128 z) { return complex{z.real, z.imag}; }
inline u64 bits_of(c64 z) { return (u64)bits_of(z.imag) << 32 | bits_of(z.real); }
template <> struct To<c64> {
  template <class X> static inline c64 of(X x) { return c64{To<f32>::of(x), 0}; }
  static inline c64 of(complex z) { return c64{(f32)z.real, (f32)z.imag}; }
};
template <> struct To<c128> {
  template <class X> static inline c128 of(X x) { return c128{To<f64>::of(x), 0}; }
  static inline c128 of(complex z) { return c128{z.real, z.imag}; }
};
inline bool differs_from_zero(complex z) { return z.real != 0 || z.imag != 0; }
inline bool is_equal(complex a, complex b) { return a.real == b.real && a.imag == b.imag; }

inline bool is_infinite(f64 x) { return fabs(x) == double_of(0x7ff0000000000000ull); }
inline bool is_number(f64 x) { return x - x == 0; }
inline f64 larger(f64 a, f64 b) { return fabs(a) < fabs(b) ? fabs(b) : fabs(a); }
inline f64 power_of_two(s32 n) { return double_of((u64)(n + 1023) << 52); }

// Numbers that are large or small all over are brought near to one, by a power of two: z = scaled * 2^n.
struct scaled_complex { complex z; s32 n; };
inline scaled_complex scaled(complex z) {
  const f64 size = larger(z.real, z.imag);
  scaled_complex s = {z, 0};
  if (!is_number(size) || size == 0) return s;
  if (size > 1e150) s.n = 600;
  if (size < 1e-150) s.n = -600;
  const f64 factor = power_of_two(-s.n);
  s.z.real *= factor;
  s.z.imag *= factor;
  return s;
}

inline complex complex_sum(complex a, complex b) { return complex{a.real + b.real, a.imag + b.imag}; }
inline complex complex_difference(complex a, complex b) { return complex{a.real - b.real, a.imag - b.imag}; }
inline complex complex_negative(complex a) { return complex{-a.real, -a.imag}; }
inline complex complex_product(complex a, complex b) {
  return complex{a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
inline complex complex_quotient(complex a, complex b) {
  if ((is_infinite(b.real) || is_infinite(b.imag)) && is_number(a.real) && is_number(a.imag)) {
    const complex c = {copysign(is_infinite(b.real) ? 1.0 : 0.0, b.real), copysign(is_infinite(b.imag) ? 1.0 : 0.0, b.imag)};
    return complex{0.0 * (a.real * c.real + a.imag * c.imag), 0.0 * (a.imag * c.real - a.real * c.imag)};
  }
  if (b.real == 0 && b.imag == 0) {
    const f64 infinity = copysign(double_of(0x7ff0000000000000ull), b.real);
    return complex{infinity * a.real, infinity * a.imag};
  }
  const scaled_complex x = scaled(a), y = scaled(b);
  const f64 square = y.z.real * y.z.real + y.z.imag * y.z.imag;
  const f64 real = (x.z.real * y.z.real + x.z.imag * y.z.imag) / square;
  const f64 imag = (x.z.imag * y.z.real - x.z.real * y.z.imag) / square;
  if (x.n == y.n) return complex{real, imag};
  const f64 up = power_of_two(x.n), down = power_of_two(-y.n);
  return complex{real * up * down, imag * up * down};
}
inline f64 modulus(complex z) {
  if (is_infinite(z.real) || is_infinite(z.imag)) return double_of(0x7ff0000000000000ull);
  const scaled_complex s = scaled(z);
  return hypot(s.z.real, s.z.imag) * power_of_two(s.n);
}
inline complex complex_sign(complex z) {
  if (z.real == 0 && z.imag == 0) return z;
  const scaled_complex s = scaled(z);
  const f64 length = hypot(s.z.real, s.z.imag);
  return complex{s.z.real / length, s.z.imag / length};
}

// e^a times a factor, in two steps where e^a alone would be out of range.
inline f64 exponential_times(f64 a, f64 factor) {
  if (factor == 0) return factor;
  if (a > 709 || a < -700) {
    const f64 half = exp(a / 2);
    return half * factor * half;
  }
  return exp(a) * factor;
}
inline f64 sinh_times(f64 a, f64 factor) {
  return fabs(a) > 709 ? copysign(1.0, a) * exponential_times(fabs(a), factor / 2) : factor == 0 && is_infinite(a) ? factor * copysign(1.0, a) : sinh(a) * factor;
}
inline f64 cosh_times(f64 a, f64 factor) {
  return fabs(a) > 709 ? exponential_times(fabs(a), factor / 2) : cosh(a) * factor;
}

inline complex complex_exponential(complex z) {
  if (z.imag == 0) return complex{exp(z.real), z.imag};
  if (z.real < -1500 && !is_number(z.imag)) return complex{0, 0};
  if (is_infinite(z.real) && z.real < 0) return complex{copysign(0.0, cos(z.imag)), copysign(0.0, sin(z.imag))};
  return complex{exponential_times(z.real, cos(z.imag)), exponential_times(z.real, sin(z.imag))};
}
inline complex complex_exponential_minus_one(complex z) {
  if (z.imag == 0) return complex{expm1(z.real), z.imag};
  if (is_infinite(z.real) && z.real < 0) return complex{-1, is_number(z.imag) ? copysign(0.0, sin(z.imag)) : 0.0};
  const f64 half = sin(z.imag / 2);
  const f64 real = z.real > 40 ? exponential_times(z.real, cos(z.imag)) - 1
                               : expm1(z.real) * cos(z.imag) - 2 * half * half;
  return complex{real, exponential_times(z.real, sin(z.imag))};
}
// log|z| and log|1 + z|.
inline complex complex_logarithm(complex z) {
  const f64 angle = atan2(z.imag, z.real);
  const f64 a = larger(z.real, z.imag), b = fabs(z.real) < fabs(z.imag) ? fabs(z.real) : fabs(z.imag);
  if (a > 0.5 && a < 2 && a * a + b * b < 2 && a * a + b * b > 0.5) {
    return complex{log1p((a - 1) * (a + 1) + b * b) / 2, angle};
  }
  if (is_infinite(z.real) || is_infinite(z.imag)) return complex{double_of(0x7ff0000000000000ull), angle};
  const scaled_complex s = scaled(z);
  return complex{log(hypot(s.z.real, s.z.imag)) + s.n * 0.6931471805599453, angle};
}
inline complex complex_log_plus_one(complex z) {
  const f64 along = z.real + 1;
  if (larger(z.real, z.imag) > 1e100) return complex_logarithm(complex{along, z.imag});
  const f64 square = z.imag * z.imag;
  const bool near_pole = fabs(along) < 0.5 && fabs(z.imag) < 0.5;
  const f64 logarithm = near_pole ? log(along * along + square) : log1p(z.real * (z.real + 2) + square);
  return complex{logarithm / 2, atan2(z.imag, along)};
}
inline complex complex_root(complex z) {
  if (z.real == 0 && z.imag == 0) return complex{0, z.imag};
  if (is_infinite(z.imag)) return complex{fabs(z.imag), z.imag};
  if (is_infinite(z.real)) {
    const bool positive = z.real > 0;
    const f64 small = is_number(z.imag) ? 0.0 : z.imag;
    return positive ? complex{z.real, copysign(small, z.imag)} : complex{fabs(small), copysign(z.real, z.imag)};
  }
  const scaled_complex s = scaled(z);
  const f64 a = fabs(s.z.real), b = fabs(s.z.imag);
  const f64 greater = sqrt((hypot(a, b) + a) / 2);
  const f64 lesser = b / greater / 2;
  const f64 factor = power_of_two(s.n / 2);
  const f64 real = z.real < 0 ? lesser : greater, imag = z.real < 0 ? greater : lesser;
  return complex{real * factor, copysign(imag * factor, z.imag)};
}
inline complex complex_reciprocal_root(complex z) {
  const complex root = complex_root(z);
  if (is_infinite(root.real) || is_infinite(root.imag)) {
    return complex{copysign(0.0, root.real), copysign(0.0, -root.imag)};
  }
  const f64 length = hypot(root.real, root.imag);
  return complex{root.real / length / length, -root.imag / length / length};
}
inline complex complex_hyperbolic_sine(complex z) {
  if (z.imag == 0) return complex{sinh(z.real), z.imag};
  return complex{sinh_times(z.real, cos(z.imag)), cosh_times(z.real, sin(z.imag))};
}
inline complex complex_hyperbolic_cosine(complex z) {
  if (z.imag == 0) return complex{cosh(z.real), z.imag * copysign(1.0, z.real)};
  return complex{cosh_times(z.real, cos(z.imag)), sinh_times(z.real, sin(z.imag))};
}
inline complex complex_hyperbolic_tangent(complex z) {
  if (fabs(z.real) > 25) {
    const f64 sine = is_number(z.imag) ? sin(z.imag) * cos(z.imag) : 0.0;
    const f64 small = exp(-fabs(z.real));
    return complex{copysign(1.0, z.real), 4 * sine * small * small};
  }
  if (z.imag == 0) return complex{tanh(z.real), z.imag};
  const f64 a = sinh(z.real), b = cosh(z.real), c = cos(z.imag), s = sin(z.imag);
  const f64 square = a * a + c * c;
  return complex{a * b / square, s * c / square};
}
// By the hyperbolic functions of iz.
inline complex complex_sine(complex z) {
  const complex w = complex_hyperbolic_sine(complex{-z.imag, z.real});
  return complex{w.imag, -w.real};
}
inline complex complex_cosine(complex z) { return complex_hyperbolic_cosine(complex{-z.imag, z.real}); }
inline complex complex_tangent(complex z) {
  const complex w = complex_hyperbolic_tangent(complex{-z.imag, z.real});
  return complex{w.imag, -w.real};
}
// 1 / (1 + e^-z), by the smaller of e^z and e^-z.
inline complex complex_logistic(complex z) {
  if (is_infinite(z.real)) return complex{z.real > 0 ? 1.0 : 0.0, 0.0};
  const f64 e = exp(-fabs(z.real)), minus_one = expm1(-fabs(z.real)), half = cos(z.imag / 2);
  const f64 c = e * cos(z.imag), s = e * sin(z.imag);
  const f64 square = minus_one * minus_one + 4 * e * half * half;
  return z.real > 0 ? complex{(1 + c) / square, s / square} : complex{(c + e * e) / square, s / square};
}
// Of c64: an error of the exponent would be too large in f64's last places.
inline complex complex_power(complex x, complex y) {
  if ((y.real == 0 && y.imag == 0) || (x.real == 1 && x.imag == 0)) return complex{1, 0};
  if (x.real == 0 && x.imag == 0) {
    const f64 nan = double_of(0x7ff8000000000000ull);
    return y.real > 0 ? complex{0, 0} : complex{nan, nan};
  }
  return complex_exponential(complex_product(y, complex_logarithm(x)));
}
)";

}  // namespace assay::cuda
