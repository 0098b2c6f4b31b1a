// The common parts of the vector functions: powers of two, polynomials, and pairs of doubles. Included once for each
// target.
#if defined(ASSAY_SIMD_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_SIMD_VECTORS_INL
#undef ASSAY_SIMD_VECTORS_INL
#else
#define ASSAY_SIMD_VECTORS_INL
#endif

#include <cstddef>
#include <cstdint>

#include "backends/simd/coefficients.h"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of doubles, and of their bits.
using D = hn::ScalableTag<double>;
using U = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

HWY_INLINE V C(double number) { return hn::Set(D(), number); }

// Evaluates a polynomial by Horner's rule. May contract, because no bound counts the roundings of a tail.
template <class Vector, std::size_t kCount>
HWY_INLINE Vector Polynomial(Vector x, const double (&coefficients)[kCount]) {
  const hn::DFromV<Vector> d;
  using T = hn::TFromV<Vector>;
  Vector sum = hn::Set(d, static_cast<T>(coefficients[kCount - 1]));
  for (std::size_t i = kCount - 1; i-- > 0;) sum = hn::MulAdd(sum, x, hn::Set(d, static_cast<T>(coefficients[i])));
  return sum;
}

// Evaluates a polynomial of five or six coefficients by Estrin's scheme, in three steps that wait for each other.
template <class Vector, std::size_t kCount>
HWY_INLINE Vector ShortPolynomial(Vector x, Vector square, const double (&coefficients)[kCount]) {
  static_assert(kCount == 5 || kCount == 6);
  const auto at = [&](std::size_t i) HWY_ATTR {
    return hn::Set(hn::DFromV<Vector>(), static_cast<hn::TFromV<Vector> >(coefficients[i]));
  };
  const Vector low = hn::MulAdd(at(1), x, at(0)), middle = hn::MulAdd(at(3), x, at(2));
  const Vector high = kCount == 6 ? hn::MulAdd(at(kCount - 1), x, at(4)) : at(4);
  return hn::MulAdd(hn::MulAdd(high, square, middle), square, low);
}

template <bool kNarrow, std::size_t kShort, std::size_t kLong>
HWY_INLINE V Polynomial(V x, const double (&narrow)[kShort], const double (&wide)[kLong]) {
  if constexpr (kNarrow) return Polynomial(x, narrow);
  return Polynomial(x, wide);
}

// The sum of this and a number below 2^51 has the nearest integer in its low bits.
inline constexpr double kShifter = 0x1.8p52;

// Returns 2^n for the integer n in the low bits of a sum with kShifter, from -1022 to 1023.
HWY_INLINE V PowerOfTwo(V shifted) {
  const U du;
  const auto one = hn::BitCast(du, C(1.0));
  return hn::BitCast(D(), hn::Add(hn::ShiftLeft<52>(hn::BitCast(du, shifted)), one));
}

// Returns x 2^n for the integer n in the low bits of a sum with kShifter, if x and the result are normal.
HWY_INLINE V TimesPowerOfTwo(V x, V shifted) {
  const U du;
  return hn::BitCast(D(), hn::Add(hn::ShiftLeft<52>(hn::BitCast(du, shifted)), hn::BitCast(du, x)));
}

// Returns x 2^n for any integer n of up to 11 bits, rounded once if it is subnormal.
HWY_INLINE V Scaled(V x, V n) {
  const V half = hn::MulAdd(n, C(0.5), C(kShifter));
  const V rest = hn::Add(hn::Sub(n, hn::Sub(half, C(kShifter))), C(kShifter));
  return hn::Mul(hn::Mul(x, PowerOfTwo(half)), PowerOfTwo(rest));
}

// Returns the m of a positive normal x = 2^exponent m, from sqrt(1/2) to sqrt(2).
HWY_INLINE V Significand(V x, V& exponent) {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e00000000, kBias = std::uint64_t{1024} << 52;
  const U du;
  const auto bits = hn::BitCast(du, x);
  const auto biased = hn::ShiftRight<52>(hn::Add(bits, hn::Set(du, kBias - kRootOfHalf)));
  exponent = hn::Sub(hn::BitCast(D(), hn::Or(biased, hn::BitCast(du, C(0x1p52)))), C(0x1p52 + 1024));
  return hn::BitCast(D(), hn::Sub(bits, hn::ShiftLeft<52>(hn::Sub(biased, hn::Set(du, 1024)))));
}

HWY_INLINE M IsBetween(V low, V x, V high) { return hn::And(hn::Le(low, x), hn::Le(x, high)); }
HWY_INLINE M IsFiniteNormal(V x) { return IsBetween(C(0x1p-1022), hn::Abs(x), C(0x1.fffffffffffffp1023)); }
// True for positive normal numbers. The reference computes subnormal f64 numbers; subnormal numbers of narrower types
// are normal here.
HWY_INLINE M IsPositive(V x) { return IsBetween(C(0x1p-1022), x, C(0x1.fffffffffffffp1023)); }

// Computes a + b = sum + error exactly, whatever their magnitudes.
HWY_INLINE V TwoSum(V a, V b, V& error) {
  const V sum = hn::Add(a, b);
  const V of_b = hn::Sub(sum, a);
  error = hn::Add(hn::Sub(a, hn::Sub(sum, of_b)), hn::Sub(b, of_b));
  return sum;
}

// Computes a b = product + error exactly.
HWY_INLINE V TwoProduct(V a, V b, V& error) {
  const V product = hn::Mul(a, b);
#if HWY_NATIVE_FMA
  error = hn::MulSub(a, b, product);
#else
  // Dekker's algorithm: halves of 26 bits have exact products.
  const V splitter = C(0x1p27 + 1);
  const V a_scaled = hn::Mul(a, splitter), b_scaled = hn::Mul(b, splitter);
  const V a_high = hn::Sub(a_scaled, hn::Sub(a_scaled, a)), b_high = hn::Sub(b_scaled, hn::Sub(b_scaled, b));
  const V a_low = hn::Sub(a, a_high), b_low = hn::Sub(b, b_high);
  const V crossed = hn::Add(hn::Mul(a_high, b_low), hn::Mul(a_low, b_high));
  error = hn::Add(hn::Add(hn::Sub(hn::Mul(a_high, b_high), product), crossed), hn::Mul(a_low, b_low));
#endif
  return product;
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
