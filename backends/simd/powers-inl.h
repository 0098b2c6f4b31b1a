// Powers, roots and the error function, in the form of exponentials-inl.h. Included once for each target.
#if defined(ASSAY_SIMD_POWERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_SIMD_POWERS_INL
#undef ASSAY_SIMD_POWERS_INL
#else
#define ASSAY_SIMD_POWERS_INL
#endif

#include "backends/simd/exponentials-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

struct ReciprocalRoot {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return IsPositive(x);
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    return hn::Div(C(1.0), hn::Sqrt(x));
  }
};

struct Cbrt {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return hn::Or(IsFiniteNormal(x), hn::Eq(x, hn::Zero(D())));
  }
  // With |x| = 8^third m and m from 1 to 8: an approximation of seven bits, two of Halley's steps (21 and 63 bits), and
  // a Newton step with an exact square.
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V a = hn::Abs(x);
    const U du;
    const auto biased = hn::ShiftRight<52>(hn::BitCast(du, a));
    const V exponent = hn::Sub(hn::BitCast(D(), hn::Or(biased, hn::BitCast(du, C(0x1p52)))), C(0x1p52 + 1023));
    // Exponents are integers, so a third less 1/3 rounds to the floor.
    const V shifted = hn::Add(hn::Mul(hn::Sub(exponent, C(1.0)), C(1.0 / 3)), C(kShifter));
    const V third = hn::Sub(shifted, C(kShifter));
    const V m = hn::Mul(hn::Mul(a, PowerOfTwo(hn::Sub(C(kShifter), third))),
                        PowerOfTwo(hn::NegMulAdd(third, C(2.0), C(kShifter))));
    V r = Polynomial(m, kCubeRoot);
    for (int step = 0; step < 2; ++step) {
      const V cube = hn::Mul(hn::Mul(r, r), r), twice = hn::Add(m, m);
      r = hn::Mul(r, hn::Div(hn::Add(cube, twice), hn::Add(hn::Add(cube, cube), m)));
    }
    if constexpr (!kNarrow) {
      const V rounded = hn::BitCast(D(), hn::And(hn::BitCast(du, r), hn::Set(du, ~std::uint64_t{0} << 27)));
      const V quotient = hn::Div(m, hn::Mul(rounded, rounded));
      const V correction = hn::Div(hn::Sub(quotient, rounded), hn::Add(hn::Add(rounded, rounded), quotient));
      r = hn::MulAdd(rounded, correction, rounded);
    }
    const V scaled = hn::Mul(r, PowerOfTwo(shifted));
    return hn::IfThenElse(hn::Eq(x, hn::Zero(D())), x, hn::CopySign(scaled, x));
  }
};

// Returns the logarithm of a positive normal number as high + low, to some 65 bits: 2 atanh(s), as in LogOf, with the
// leading terms as pairs.
HWY_INLINE V LogPair(V x, V& low) {
  V exponent;
  const V m = Significand(x, exponent), one = C(1.0);
  const V f = hn::Sub(m, one), d = hn::Add(one, m), d_low = hn::Sub(m, hn::Sub(d, one));
  const V s = hn::Div(f, d);
  V product_low;
  const V product = TwoProduct(s, d, product_low);
  const V s_low = hn::Div(hn::Sub(hn::Sub(hn::Sub(f, product), product_low), hn::Mul(s, d_low)), d);
  const V twice = hn::Add(s, s), twice_low = hn::Add(s_low, s_low);
  V z_low;
  const V z = TwoProduct(s, s, z_low);
  z_low = hn::MulAdd(twice, s_low, z_low);
  // z / 3 + z^2 (1/5 + ...).
  V t_low;
  const V t = TwoProduct(z, C(1.0 / 3), t_low);
  t_low = hn::Add(t_low, hn::MulAdd(z, C(0x1.5555555555555p-56), hn::Mul(z_low, C(1.0 / 3))));
  t_low = hn::MulAdd(hn::Mul(z, z), Polynomial(z, kAtanhSecondTail), t_low);
  V cubic_low;
  const V cubic = TwoProduct(twice, t, cubic_low);
  cubic_low = hn::Add(cubic_low, hn::MulAdd(twice, t_low, hn::Mul(twice_low, t)));
  V lost, more_lost;
  const V sum = TwoSum(hn::Mul(exponent, C(kLog2High)), twice, lost);
  const V total = TwoSum(sum, cubic, more_lost);
  const V rest = hn::Add(hn::Add(lost, more_lost), hn::MulAdd(exponent, C(kLog2Low), hn::Add(twice_low, cubic_low)));
  const V high = hn::Add(total, rest);
  low = hn::Add(hn::Sub(total, high), rest);
  return high;
}

struct Power {
  // Returns y log|x| as high + low.
  template <bool kNarrow>
  static HWY_INLINE V Exponent(V x, V y, V& low) {
    if constexpr (kNarrow) {
      low = hn::Zero(D());
      return hn::Mul(y, Log<false>(hn::Abs(x)));
    }
    V log_low;
    const V log = LogPair(hn::Abs(x), log_low);
    const V product = TwoProduct(y, log, low);
    low = hn::MulAdd(y, log_low, low);
    return product;
  }
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x, V y) {
    const M is_whole = hn::And(hn::Eq(hn::Round(y), y), hn::Le(hn::Abs(y), C(0x1p50)));
    const M is_defined = hn::And(IsFiniteNormal(x), hn::Or(hn::Gt(x, hn::Zero(D())), is_whole));
    const M is_moderate = hn::Le(hn::Abs(y), C(kNarrow ? 0x1p128 : 0x1p100));
    if constexpr (kNarrow) return hn::And(is_defined, is_moderate);
    V low;
    const V exponent = Exponent<kNarrow>(x, y, low);
    return hn::And(hn::And(is_defined, is_moderate), hn::Le(hn::Abs(exponent), C(708.0)));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x, V y) {
    V low;
    const V exponent = Exponent<kNarrow>(x, y, low);
    const V value = Exp<kNarrow>(Clamped<kNarrow>(exponent), low);
    const V half = hn::Mul(y, C(0.5));
    const M is_odd = hn::Ne(hn::Round(half), half);
    const V sign = hn::And(hn::IfThenElseZero(is_odd, x), C(-0.0));
    return hn::Xor(value, sign);
  }
};

// Computes x P(x^2) for |x| up to 1, and 1 - exp(-x^2) Q beyond.
struct Erf {
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V a = hn::Min(hn::Abs(x), C(6.0)), square = hn::Mul(a, a);
    const V near = hn::Mul(a, Polynomial<kNarrow>(square, kErfHeadNarrow, kErfHead));
    const V t = hn::Div(hn::Sub(a, C(3.0)), hn::Add(a, C(3.0)));
    const V tail = hn::Mul(Exp<kNarrow>(hn::Neg(square)), Polynomial<kNarrow>(t, kErfcScaledNarrow, kErfcScaled));
    return hn::CopySign(hn::IfThenElse(hn::Lt(a, C(1.0)), near, hn::Sub(C(1.0), tail)), x);
  }
};

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
