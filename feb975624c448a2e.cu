
typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long long s64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

struct pred { u8 bits; };
template <int W> struct narrow_signed { s8 bits; };
template <int W> struct narrow_unsigned { u8 bits; };
typedef narrow_signed<1> s1;
typedef narrow_signed<2> s2;
typedef narrow_signed<4> s4;
typedef narrow_unsigned<1> u1;
typedef narrow_unsigned<2> u2;
typedef narrow_unsigned<4> u4;

#ifdef __CUDA_ARCH__
inline u32 bits_of(f32 x) { return __float_as_uint(x); }
inline u64 bits_of(f64 x) { return __double_as_longlong(x); }
inline f32 float_of(u32 bits) { return __uint_as_float(bits); }
inline f64 double_of(u64 bits) { return __longlong_as_double(bits); }
inline s32 leading_zeros(u64 x) { return __clzll(x); }
inline s32 ones(u64 x) { return __popcll(x); }
inline u64 product_above(u64 a, u64 b) { return __umul64hi(a, b); }
inline s64 product_above(s64 a, s64 b) { return __mul64hi(a, b); }
#else
inline u32 bits_of(f32 x) { u32 bits; __builtin_memcpy(&bits, &x, 4); return bits; }
inline u64 bits_of(f64 x) { u64 bits; __builtin_memcpy(&bits, &x, 8); return bits; }
inline f32 float_of(u32 bits) { f32 x; __builtin_memcpy(&x, &bits, 4); return x; }
inline f64 double_of(u64 bits) { f64 x; __builtin_memcpy(&x, &bits, 8); return x; }
inline s32 leading_zeros(u64 x) { return x == 0 ? 64 : __builtin_clzll(x); }
inline s32 ones(u64 x) { return __builtin_popcountll(x); }
inline u64 product_above(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
inline s64 product_above(s64 a, s64 b) { return (s64)((__int128)a * b >> 64); }
#endif

// The bits of an element, extended with zeros.
inline u64 bits_of(pred x) { return x.bits != 0; }
inline u64 bits_of(s8 x) { return (u8)x; }
inline u64 bits_of(u8 x) { return x; }
inline u64 bits_of(s16 x) { return (u16)x; }
inline u64 bits_of(u16 x) { return x; }
inline u64 bits_of(s32 x) { return (u32)x; }
inline u64 bits_of(u32 x) { return x; }
inline u64 bits_of(s64 x) { return (u64)x; }
inline u64 bits_of(u64 x) { return x; }
template <int W> inline u64 bits_of(narrow_signed<W> x) { return (u8)x.bits & ((1u << W) - 1); }
template <int W> inline u64 bits_of(narrow_unsigned<W> x) { return x.bits; }

inline u32 value(pred x) { return x.bits != 0; }
inline s32 value(s8 x) { return x; }
inline u32 value(u8 x) { return x; }
inline s32 value(s16 x) { return x; }
inline u32 value(u16 x) { return x; }
inline s32 value(s32 x) { return x; }
inline u32 value(u32 x) { return x; }
inline s64 value(s64 x) { return x; }
inline u64 value(u64 x) { return x; }
template <int W> inline s32 value(narrow_signed<W> x) { return x.bits; }
template <int W> inline u32 value(narrow_unsigned<W> x) { return x.bits; }
inline f32 value(f32 x) { return x; }
inline f64 value(f64 x) { return x; }

// Towards zero, then to the nearest end of the range; NaN gives 0.
template <int W, bool S> inline u64 truncated(f64 x) {
  const u64 top = (u64)1 << (W - 1);
  const f64 end = S ? (f64)top : 2.0 * (f64)top;
  if (x != x) return 0;
  if (x >= end) return S ? top - 1 : top - 1 + top;
  if (x <= (S ? -end : 0.0)) return S ? 0 - top : 0;
  return S ? (u64)(s64)x : (u64)x;
}

template <class T, int W, bool S> struct ToInteger {
  static inline T of(s32 x) { return (T)x; }
  static inline T of(u32 x) { return (T)x; }
  static inline T of(s64 x) { return (T)x; }
  static inline T of(u64 x) { return (T)x; }
  static inline T of(f32 x) { return (T)truncated<W, S>(x); }
  static inline T of(f64 x) { return (T)truncated<W, S>(x); }
  static inline T of_bits(u64 bits) { return (T)bits; }
};
template <class T, int W, bool S> struct ToNarrowInteger {
  static inline T of_bits(u64 bits) {
    const u64 top = bits << (64 - W);
    T x;
    x.bits = S ? (u8)((s64)top >> (64 - W)) : (u8)(top >> (64 - W));
    return x;
  }
  static inline T of(s32 x) { return of_bits((u64)(s64)x); }
  static inline T of(u32 x) { return of_bits(x); }
  static inline T of(s64 x) { return of_bits((u64)x); }
  static inline T of(u64 x) { return of_bits(x); }
  static inline T of(f32 x) { return of_bits(truncated<W, S>(x)); }
  static inline T of(f64 x) { return of_bits(truncated<W, S>(x)); }
};
template <class T> struct To;
template <> struct To<s8> : ToInteger<s8, 8, true> {};
template <> struct To<u8> : ToInteger<u8, 8, false> {};
template <> struct To<s16> : ToInteger<s16, 16, true> {};
template <> struct To<u16> : ToInteger<u16, 16, false> {};
template <> struct To<s32> : ToInteger<s32, 32, true> {};
template <> struct To<u32> : ToInteger<u32, 32, false> {};
template <> struct To<s64> : ToInteger<s64, 64, true> {};
template <> struct To<u64> : ToInteger<u64, 64, false> {};
template <int W> struct To<narrow_signed<W>> : ToNarrowInteger<narrow_signed<W>, W, true> {};
template <int W> struct To<narrow_unsigned<W>> : ToNarrowInteger<narrow_unsigned<W>, W, false> {};
template <> struct To<pred> {
  template <class X> static inline pred of(X x) { return pred{(u8)(x != 0)}; }
  static inline pred of_bits(u64 bits) { return pred{(u8)(bits != 0)}; }
};
template <> struct To<f32> {
  template <class X> static inline f32 of(X x) { return (f32)x; }
  static inline f32 of_bits(u64 bits) { return float_of((u32)bits); }
};
template <> struct To<f64> {
  template <class X> static inline f64 of(X x) { return (f64)x; }
  static inline f64 of_bits(u64 bits) { return double_of(bits); }
};

// Integers wrap: they are added as unsigned ones.
template <class T> struct Wrapping { typedef T type; };
template <> struct Wrapping<s32> { typedef u32 type; };
template <> struct Wrapping<s64> { typedef u64 type; };
template <class T> struct IsSigned { static const bool value = false; };
template <> struct IsSigned<s32> { static const bool value = true; };
template <> struct IsSigned<s64> { static const bool value = true; };

template <class T> inline T sum(T a, T b) {
  typedef typename Wrapping<T>::type U;
  return (T)((U)a + (U)b);
}
template <class T> inline T difference(T a, T b) {
  typedef typename Wrapping<T>::type U;
  return (T)((U)a - (U)b);
}
template <class T> inline T product(T a, T b) {
  typedef typename Wrapping<T>::type U;
  return (T)((U)a * (U)b);
}
template <class T> inline T integer_negative(T a) {
  typedef typename Wrapping<T>::type U;
  return (T)((U)0 - (U)a);
}
template <class T> inline T integer_quotient(T a, T b) {
  if (b == 0) return (T)-1;
  if (IsSigned<T>::value && b == (T)-1) return integer_negative(a);
  return a / b;
}
template <class T> inline T integer_remainder(T a, T b) {
  if (b == 0) return a;
  if (IsSigned<T>::value && b == (T)-1) return 0;
  return a % b;
}
template <class T> inline T integer_maximum(T a, T b) { return a < b ? b : a; }
template <class T> inline T integer_minimum(T a, T b) { return b < a ? b : a; }
template <class T> inline T integer_magnitude(T a) { return a < 0 ? integer_negative(a) : a; }
template <class T> inline T integer_sign(T a) { return (T)((a > 0) - (a < 0)); }

// The low W bits, extended with zeros or with the sign.
template <int W, class T> inline u64 low_bits(T a) { return (u64)a << (64 - W) >> (64 - W); }
template <int W, class T> inline s64 low_signed(T a) { return (s64)((u64)a << (64 - W)) >> (64 - W); }

template <int W, class T> inline u64 shift_left(T a, T amount) {
  const u64 n = low_bits<W>(amount);
  return n < W ? low_bits<W>(a) << n : 0;
}
template <int W, class T> inline u64 shift_right_logical(T a, T amount) {
  const u64 n = low_bits<W>(amount);
  return n < W ? low_bits<W>(a) >> n : 0;
}
template <int W, class T> inline s64 shift_right_arithmetic(T a, T amount) {
  const u64 n = low_bits<W>(amount);
  return low_signed<W>(a) >> (n < W ? n : W - 1);
}
template <int W, class T> inline s32 population_count(T a) { return ones(low_bits<W>(a)); }
template <int W, class T> inline s32 count_leading_zeros(T a) { return leading_zeros(low_bits<W>(a)) - (64 - W); }
template <int W> inline s64 multiply_high(s32 a, s32 b) { return (s64)a * b >> W; }
template <int W> inline u64 multiply_high(u32 a, u32 b) { return (u64)a * b >> W; }
template <int W> inline s64 multiply_high(s64 a, s64 b) { return product_above(a, b); }
template <int W> inline u64 multiply_high(u64 a, u64 b) { return product_above(a, b); }

// A negative exponent asks for a reciprocal: that of 1 is 1, that of -1 is -1, and all others are 0.
template <class T> inline T integer_power(T base, T exponent) {
  if (exponent < 0) {
    if (base == 1) return base;
    return base == (T)-1 ? ((exponent & 1) != 0 ? (T)-1 : (T)1) : (T)0;
  }
  T power = 1;
  for (u64 left = (u64)exponent; left != 0; left >>= 1) {
    if ((left & 1) != 0) power = product(power, base);
    base = product(base, base);
  }
  return power;
}

// Where a slice of `size` may start in a dimension.
inline s64 clamped_start(s64 start, s64 last) { return start < 0 ? 0 : start > last ? last : start; }
inline s64 start_of(s32 x) { return x; }
inline s64 start_of(u32 x) { return x; }
inline s64 start_of(s64 x) { return x; }
inline s64 start_of(u64 x) { return (s64)x < 0 ? 0x7fffffffffffffff : (s64)x; }

inline f32 quieted(f32 x) { return float_of(bits_of(x) | 0x400000u); }
inline f64 quieted(f64 x) { return double_of(bits_of(x) | 0x8000000000000ull); }
inline f32 both_bits(f32 a, f32 b) { return float_of(bits_of(a) & bits_of(b)); }
inline f64 both_bits(f64 a, f64 b) { return double_of(bits_of(a) & bits_of(b)); }
inline f32 either_bits(f32 a, f32 b) { return float_of(bits_of(a) | bits_of(b)); }
inline f64 either_bits(f64 a, f64 b) { return double_of(bits_of(a) | bits_of(b)); }

// NaN when either is; -0 is less than +0: equal numbers differ at most in the sign of zero.
template <class T> inline T real_maximum(T a, T b) {
  if (a != a) return quieted(a);
  if (b != b) return quieted(b);
  return a == b ? both_bits(a, b) : a < b ? b : a;
}
template <class T> inline T real_minimum(T a, T b) {
  if (a != a) return quieted(a);
  if (b != b) return quieted(b);
  return a == b ? either_bits(a, b) : b < a ? b : a;
}
inline f32 magnitude(f32 a) { return fabsf(a); }
inline f64 magnitude(f64 a) { return fabs(a); }
inline f32 real_sign(f32 a) { return a == 0 || a != a ? a : copysignf(1.0f, a); }
inline f64 real_sign(f64 a) { return a == 0 || a != a ? a : copysign(1.0, a); }
inline f32 real_remainder(f32 a, f32 b) { return fmodf(a, b); }
inline f64 real_remainder(f64 a, f64 b) { return fmod(a, b); }
inline f32 round_down(f32 a) { return floorf(a); }
inline f64 round_down(f64 a) { return floor(a); }
inline f32 round_up(f32 a) { return ceilf(a); }
inline f64 round_up(f64 a) { return ceil(a); }
inline f32 round_even(f32 a) { return rintf(a); }
inline f64 round_even(f64 a) { return rint(a); }
inline f32 round_away(f32 a) { return roundf(a); }
inline f64 round_away(f64 a) { return round(a); }
inline f32 square_root(f32 a) { return sqrtf(a); }
inline f64 square_root(f64 a) { return sqrt(a); }
template <class T> inline bool is_finite(T a) { return a - a == 0; }

// The NaN of an operation whose operands are none: processors give it either sign.
inline f32 settled(f32 x) { return x != x ? float_of(0x7fc00000u) : x; }
inline f64 settled(f64 x) { return x != x ? double_of(0x7ff8000000000000ull) : x; }

inline f32 exponential(f32 x) { return expf(x); }
inline f64 exponential(f64 x) { return exp(x); }
inline f32 exponential_minus_one(f32 x) { return expm1f(x); }
inline f64 exponential_minus_one(f64 x) { return expm1(x); }
inline f32 logarithm(f32 x) { return logf(x); }
inline f64 logarithm(f64 x) { return log(x); }
inline f32 log_plus_one(f32 x) { return log1pf(x); }
inline f64 log_plus_one(f64 x) { return log1p(x); }
inline f32 reciprocal_root(f32 x) { return rsqrtf(x); }
inline f64 reciprocal_root(f64 x) { return rsqrt(x); }
inline f32 cube_root(f32 x) { return cbrtf(x); }
inline f64 cube_root(f64 x) { return cbrt(x); }
inline f32 error_function(f32 x) { return erff(x); }
inline f64 error_function(f64 x) { return erf(x); }
inline f32 sine(f32 x) { return sinf(x); }
inline f64 sine(f64 x) { return sin(x); }
inline f32 cosine(f32 x) { return cosf(x); }
inline f64 cosine(f64 x) { return cos(x); }
inline f32 tangent(f32 x) { return tanf(x); }
inline f64 tangent(f64 x) { return tan(x); }
inline f32 arc_sine(f32 x) { return asinf(x); }
inline f64 arc_sine(f64 x) { return asin(x); }
inline f32 arc_cosine(f32 x) { return acosf(x); }
inline f64 arc_cosine(f64 x) { return acos(x); }
inline f32 arc_tangent(f32 x) { return atanf(x); }
inline f64 arc_tangent(f64 x) { return atan(x); }
inline f32 arc_tangent(f32 y, f32 x) { return atan2f(y, x); }
inline f64 arc_tangent(f64 y, f64 x) { return atan2(y, x); }
inline f32 hyperbolic_sine(f32 x) { return sinhf(x); }
inline f64 hyperbolic_sine(f64 x) { return sinh(x); }
inline f32 hyperbolic_cosine(f32 x) { return coshf(x); }
inline f64 hyperbolic_cosine(f64 x) { return cosh(x); }
inline f32 hyperbolic_tangent(f32 x) { return tanhf(x); }
inline f64 hyperbolic_tangent(f64 x) { return tanh(x); }
inline f32 area_sine(f32 x) { return asinhf(x); }
inline f64 area_sine(f64 x) { return asinh(x); }
inline f32 area_cosine(f32 x) { return acoshf(x); }
inline f64 area_cosine(f64 x) { return acosh(x); }
inline f32 area_tangent(f32 x) { return atanhf(x); }
inline f64 area_tangent(f64 x) { return atanh(x); }
inline f32 real_power(f32 x, f32 y) { return powf(x, y); }
inline f64 real_power(f64 x, f64 y) { return pow(x, y); }
// Of a negative operand as e / (1 + e), so that small results keep their digits.
template <class T> inline T logistic(T x) {
  const T e = exponential(x < 0 ? x : -x);
  return (x < 0 ? e : (T)1) / ((T)1 + e);
}

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

inline f64 minus_product(f64 a, f64 b, f64 c) { return a - b * c; }
inline f64 quotient_of(f64 a, f64 b) { return a / b; }
inline f64 conjugate(f64 a) { return a; }
inline f64 real_part(f64 a) { return a; }
inline f64 without_imaginary(f64 a) { return a; }
inline f64 of_real(f64 a, f64) { return a; }

inline complex minus_product(complex a, complex b, complex c) { return complex_difference(a, complex_product(b, c)); }
inline complex quotient_of(complex a, complex b) { return complex_quotient(a, b); }
inline complex quotient_of(complex a, f64 b) { return complex{a.real / b, a.imag / b}; }
inline complex conjugate(complex a) { return complex{a.real, -a.imag}; }
inline f64 real_part(complex a) { return a.real; }
inline complex without_imaginary(complex a) { return complex{a.real, 0}; }
inline complex of_real(f64 a, complex) { return complex{a, 0}; }

extern "C" __global__ void __launch_bounds__(64) kernel(const c64* p0, const c64* p1, c64* r0, complex* x0, s64 n0) {
  typedef complex T;
  typedef s32 I;
  const I n = 90, systems = 70, panel = 32, done = (I)n0;
  const I width = n - done < panel ? n - done : panel;
  const s32 t = threadIdx.x;
  const auto in_order = [&](const I row) { return n - 1 - row; };
  const auto coefficient = [&](const I matrix, const I row, const I column) -> T {
    const I at = (matrix * n + in_order(row)) * n + in_order(column);
    const c64 v0 = p0[at];
    const s32 v1 = at % 90;
    const s32 v2 = at / 90;
    const s32 v3 = v2 % 90;
    const s32 v4 = v2 / 90;
    const s32 v5 = To<s32>::of((s32)v3);
    const s32 v6 = To<s32>::of((s32)v1);
    const pred v7 = To<pred>::of(value(v5) == value(v6));
    const c64 v8 = To<c64>::of(value(v7));
    const c64 v9 = c64{To<f32>::of_bits(0x447a0000ull), To<f32>::of_bits(0x40400000ull)};
    const c64 v10 = To<c64>::of(complex_product(value(v8), value(v9)));
    const c64 v11 = To<c64>::of(complex_sum(value(v0), value(v10)));
    return (complex)value(v11);
  };
  
  __shared__ T square[32][33];
  const I blocks = (systems + 64 - 1) / 64;
  const I matrix = (I)blockIdx.x / blocks;
  for (I k = t; k < width * width; k += 64) {
    const I row = k / width, column = k % width;
    if (column <= row) square[row][column] = coefficient(matrix, done + row, done + column);
  }
  __syncthreads();
  const I system = (I)blockIdx.x % blocks * 64 + t;
  if (system >= systems) return;
  T* const x = x0 + matrix * n * systems + system;
  T solved[32];
  for (I k = 0; k < width; ++k) {
    T element = x[in_order(done + k) * systems];
    for (I p = 0; p < k; ++p) element = minus_product(element, square[k][p], solved[p]);
    element = quotient_of(element, square[k][k]);
    solved[k] = element;
    x[in_order(done + k) * systems] = element;
  }
}
