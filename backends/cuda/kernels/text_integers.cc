#include "backends/cuda/kernels/text.h"

namespace assay::cuda {

// Elements in memory. An op computes with `value`, and To<T>::of makes an element of its result.
const std::string_view kTextOfIntegers = R"(
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
template <> struct To<s16> : ToInteger<s16, 16, true> {
#ifdef __CUDA_ARCH__
  using ToInteger<s16, 16, true>::of;
  // Not a cast, which makes a negation before it neg.s16: ptxas before 13.5 does not wrap that (docs/cuda.md).
  static inline s16 of(s32 x) {
    s16 y;
    asm("cvt.s16.s32 %0, %1;" : "=h"(y) : "r"(x));
    return y;
  }
#endif
};
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
// ptxas before 13.5 takes a maximum of a, -b and c for one of a, b and c (docs/cuda.md). It does not see through an
// operation on bits, even one that changes none.
template <class T> inline T unseen(T a) { return a; }
#ifdef __CUDA_ARCH__
inline u32 unseen(u32 a) {
  asm("lop3.b32 %0, %0, 0, 0, 0xf0;" : "+r"(a));
  return a;
}
inline s32 unseen(s32 a) { return (s32)unseen((u32)a); }
#endif
template <class T> inline T integer_maximum(T a, T b) {
  b = unseen(b);
  return a < b ? b : a;
}
template <class T> inline T integer_minimum(T a, T b) {
  b = unseen(b);
  return b < a ? b : a;
}
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
)";

// Packs of elements, accessed as words of 16 bytes or as one word that holds them all.
const std::string_view kTextOfPacks = R"(
template <class T, int N> struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) packed { T at[N]; };
)";

}  // namespace assay::cuda
