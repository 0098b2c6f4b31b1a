#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

// Exact functions of f32 and f64, with the same names for both types.
const std::string_view kTextOfReals = R"(
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
// Not fabsf: ptxas decides comparisons of its abs.f32 with a constant as if a were no NaN (docs/cuda.md).
inline f32 magnitude(f32 a) { return float_of(bits_of(a) & 0x7fffffffu); }
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
)";

// Functions of f32 and f64 from CUDA's library.
const std::string_view kTextOfFunctions = R"(
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
)";

// Formats of 16 bits and less. Each has a FormatOf<T> with its numbers.
const std::string_view kTextOfFormats = R"(
template <class F> struct FormatOf;

// (-1)^negative * significand * 2^exponent, rounded to nearest, ties to even. The significand has bit 52 set.
template <class F> inline u64 rounded(bool negative, u64 significand, s32 exponent) {
  typedef FormatOf<F> T;
  const u64 sign = negative ? T::sign : 0;
  if (!T::has_sign && negative) return T::nan(false);
  const s32 lead = 52 + exponent > T::least_exponent ? 52 + exponent : T::least_exponent;
  const s32 wanted = lead - T::mantissa_bits - exponent;
  const s32 drop = wanted > 63 ? 63 : wanted;
  const u64 half = (u64)1 << (drop - 1);
  const u64 rest = significand & (2 * half - 1);
  u64 kept = significand >> drop;
  kept += rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0;
  if (!T::has_zero && kept == 0) kept = 1;
  // The hidden bit, and a carry out of rounding, step the exponent by plain addition.
  const u64 magnitude = kept + ((u64)(lead + T::bias - 1) << T::mantissa_bits);
  if (magnitude > T::largest) return T::overflow(negative);
  return magnitude == 0 && !T::has_negative_zero ? 0 : sign | magnitude;
}
template <class F> inline u64 rounded_parts(bool negative, u64 exponent_field, u64 fraction, s32 greatest_field,
                                            s32 bias) {
  typedef FormatOf<F> T;
  if (exponent_field == (u64)greatest_field) {
    if (fraction == 0) return !T::has_sign && negative ? T::nan(false) : T::overflow(negative);
    const u64 payload = fraction >> (52 - T::mantissa_bits);
    return T::has_payload ? (T::nan(negative) | payload) : T::nan(negative);
  }
  if (exponent_field == 0) {
    if (fraction == 0) return T::has_zero ? (negative && T::has_negative_zero ? T::sign : 0) : T::nan(false);
    const s32 shift = leading_zeros(fraction) - 11;
    return rounded<F>(negative, fraction << shift, 1 - bias - 52 - shift);
  }
  return rounded<F>(negative, fraction | (u64)1 << 52, (s32)exponent_field - bias - 52);
}
template <class F> inline u64 rounded(f64 x) {
  const u64 bits = bits_of(x);
  return rounded_parts<F>(bits >> 63 != 0, bits >> 52 & 0x7ff, bits & 0xfffffffffffffull, 0x7ff, 1023);
}
template <class F> inline u64 rounded(f32 x) {
  const u64 bits = bits_of(x);
  return rounded_parts<F>(bits >> 31 != 0, bits >> 23 & 0xff, (bits & 0x7fffff) << 29, 0xff, 127);
}

// The number that a pattern stands for. No format here has numbers that f32 lacks.
template <class F> inline f32 number_of(u64 bits) {
  typedef FormatOf<F> T;
  const u32 sign = (bits & T::sign) != 0 ? 0x80000000u : 0;
  const u64 magnitude = bits & T::magnitude;
  if (T::is_nan(bits)) {
    const u32 payload = T::has_payload ? (u32)((magnitude & T::mantissa) << (23 - T::mantissa_bits)) : 0;
    return float_of(sign | 0x7fc00000u | payload);
  }
  if (T::has_infinity && magnitude > T::largest) return float_of(sign | 0x7f800000u);
  const u32 exponent = (u32)(magnitude >> T::mantissa_bits);
  if (!T::has_zero) return exponent == 0 ? float_of(0x400000u) : float_of(exponent << 23);
  if (exponent == 0) {
    const f32 number = (f32)(magnitude & T::mantissa) * T::least();
    return sign != 0 ? -number : number;
  }
  return float_of(sign | (exponent + 127 - T::bias) << 23 | (u32)(magnitude & T::mantissa) << (23 - T::mantissa_bits));
}

// Integers of 64 bits as doubles that round as they do: of those beyond 2^53 a one in the last place left says that the
// bits below were not all zero.
inline f64 odd_double(u64 x, bool negative) {
  if (x >> 53 != 0 && (x & 0x7ff) != 0) x = (x & ~(u64)0x7ff) | 0x800;
  return negative ? -(f64)x : (f64)x;
}
template <class F> struct ToFormat {
  static inline F of_bits(u64 bits) { F x; x.bits = bits; return x; }
  static inline F of(f64 x) { return of_bits(rounded<F>(x)); }
  static inline F of(f32 x) { return of_bits(rounded<F>(x)); }
  static inline F of(s32 x) { return of((f64)x); }
  static inline F of(u32 x) { return of((f64)x); }
  static inline F of(u64 x) { return of(odd_double(x, false)); }
  static inline F of(s64 x) { return of(x < 0 ? odd_double(0 - (u64)x, true) : odd_double((u64)x, false)); }
};
)";

// bf16 is the upper half of f32, and f16 has its own instructions.
const std::string_view kTextOfBf16 = R"(
template <> struct To<bf16> : ToFormat<bf16> {
  using ToFormat<bf16>::of;
  static inline bf16 of(f32 x) {
    const u32 bits = bits_of(x);
    if (x != x) return of_bits((bits >> 16 | 0x40) & 0xffff);
    return of_bits((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};
inline f32 value(bf16 x) { return float_of((u32)x.bits << 16); }
)";

const std::string_view kTextOfF16 = R"(
template <> struct To<f16> : ToFormat<f16> {
  using ToFormat<f16>::of;
#ifdef __CUDA_ARCH__
  static inline f16 of(f32 x) {
    f16 y;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y.bits) : "f"(x));
    return y;
  }
#endif
};
#ifdef __CUDA_ARCH__
inline f32 value(f16 x) {
  f32 y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x.bits));
  return y;
}
#else
inline f32 value(f16 x) { return number_of<f16>(x.bits); }
#endif
)";

// An integer with the order of the numbers, -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN; and the rounding of
// reduce-precision in the format's own encoding.
const std::string_view kTextOfCodes = R"(
template <class F> inline s64 order_key(u64 bits) {
  typedef FormatOf<F> T;
  const bool negative = (bits & T::sign) != 0;
  u64 magnitude = bits & T::magnitude;
  if (negative && magnitude == 0 && T::is_nan(bits)) magnitude = T::sign;
  return (s64)(negative ? ~magnitude : magnitude);
}

template <class F, int E, int M> inline u64 reduced_precision(u64 bits) {
  typedef FormatOf<F> T;
  const bool negative = (bits & T::sign) != 0;
  u64 magnitude = bits & T::magnitude;
  if (T::is_nan(bits) || (T::has_infinity && magnitude > T::largest)) return bits;
  if (M < T::mantissa_bits) {
    const int drop = T::mantissa_bits - M;
    const u64 last_place = (u64)1 << drop;
    magnitude += last_place / 2 - 1 + (magnitude >> drop & 1);
    magnitude &= ~(last_place - 1);
  }
  if (magnitude > T::largest) return T::overflow(negative);
  if (E < T::exponent_bits) {
    const int reduced_bias = (1 << (E < 31 ? E - 1 : 29)) - 1;
    const int exponent = (int)(magnitude >> T::mantissa_bits) - T::bias;
    if (exponent > reduced_bias) return T::overflow(negative);
    if (exponent <= -reduced_bias) {
      return !T::has_zero ? T::nan(false) : negative && T::has_negative_zero ? T::sign : 0;
    }
  }
  return magnitude | (negative && (magnitude != 0 || T::has_negative_zero) ? T::sign : 0);
}
)";

}  // namespace assay::cuda
