// The trigonometric functions and their inverses, in the form of exponentials-inl.h. Included once for each target.
#if defined(ASSAY_SIMD_TRIGONOMETRY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_SIMD_TRIGONOMETRY_INL
#undef ASSAY_SIMD_TRIGONOMETRY_INL
#else
#define ASSAY_SIMD_TRIGONOMETRY_INL
#endif

#include "backends/simd/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

// Half of pi in parts of 33 bits, whose products with integers of 20 bits are exact, and the remainder (Cody and
// Waite).
inline constexpr double kHalfPi1 = 0x1.921fb544p0, kHalfPi1Rest = 0x1.0b4611a626331p-34;
inline constexpr double kHalfPi2 = 0x1.0b4611a6p-34;
inline constexpr double kHalfPi3 = 0x1.3198a2ep-69, kHalfPi3Rest = 0x1.b839a252049c1p-104;
// Half of pi rounded, and the remainder.
inline constexpr double kHalfPi = 0x1.921fb54442d18p0, kHalfPiRest = 0x1.1a62633145c07p-54;
inline constexpr double kLargestAngle = 0x1.8p19;

// Reduces x = n pi / 2 + angle + low, with |angle| at most pi / 4. The low bits of `shifted` receive n.
template <bool kNarrow>
HWY_INLINE V ReducedAngle(V x, V& low, V& shifted) {
  shifted = hn::MulAdd(x, C(0x1.45f306dc9c883p-1), C(kShifter));
  const V n = hn::Sub(shifted, C(kShifter));
  const V first = hn::Sub(x, hn::Mul(n, C(kHalfPi1)));
  if constexpr (kNarrow) {
    low = hn::Zero(D());
    return hn::Sub(first, hn::Mul(n, C(kHalfPi1Rest)));
  } else {
    V lost, more_lost;
    const V second = TwoSum(first, hn::Neg(hn::Mul(n, C(kHalfPi2))), lost);
    const V third = TwoSum(second, hn::Neg(hn::Mul(n, C(kHalfPi3))), more_lost);
    const V rest = hn::Sub(hn::Add(lost, more_lost), hn::Mul(n, C(kHalfPi3Rest)));
    const V angle = hn::Add(third, rest);
    low = hn::Add(hn::Sub(third, angle), rest);
    return angle;
  }
}

template <bool kNarrow>
HWY_INLINE V ReducedSine(V angle, V low) {
  const V z = hn::Mul(angle, angle);
  const V tail = hn::Mul(hn::Mul(z, angle), Polynomial<kNarrow>(z, kSineTailNarrow, kSineTail));
  return hn::Add(angle, hn::Add(tail, hn::NegMulAdd(hn::Mul(z, C(0.5)), low, low)));
}

template <bool kNarrow>
HWY_INLINE V ReducedCosine(V angle, V low) {
  const V z = hn::Mul(angle, angle), half = hn::Mul(C(0.5), z), head = hn::Sub(C(1.0), half);
  const V tail = hn::Mul(hn::Mul(z, z), Polynomial<kNarrow>(z, kCosineTailNarrow, kCosineTail));
  return hn::Add(head, hn::Add(hn::Sub(hn::Sub(C(1.0), head), half), hn::NegMulAdd(angle, low, tail)));
}

// Returns sin(x + quarters pi / 2).
template <bool kNarrow>
HWY_INLINE V SineOf(V x, std::uint64_t quarters) {
  V low, shifted;
  const V angle = ReducedAngle<kNarrow>(x, low, shifted);
  const U du;
  const auto n = hn::Add(hn::BitCast(du, shifted), hn::Set(du, quarters));
  const M is_odd = hn::RebindMask(D(), hn::TestBit(n, hn::Set(du, 1)));
  const V value = hn::IfThenElse(is_odd, ReducedCosine<kNarrow>(angle, low), ReducedSine<kNarrow>(angle, low));
  const auto sign = hn::ShiftLeft<62>(hn::And(n, hn::Set(du, 2)));
  return hn::Xor(value, hn::BitCast(D(), sign));
}

struct Sine {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return hn::Le(hn::Abs(x), C(kLargestAngle));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    return hn::IfThenElse(hn::Eq(x, hn::Zero(D())), x, SineOf<kNarrow>(x, 0));
  }
};

struct Cosine {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return Sine::Holds<kNarrow>(x);
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    return SineOf<kNarrow>(x, 1);
  }
};

struct Tan {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return Sine::Holds<kNarrow>(x);
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    V low, shifted;
    const V angle = ReducedAngle<kNarrow>(x, low, shifted);
    const V sine = ReducedSine<kNarrow>(angle, low), cosine = ReducedCosine<kNarrow>(angle, low);
    const U du;
    const M is_odd = hn::RebindMask(D(), hn::TestBit(hn::BitCast(du, shifted), hn::Set(du, 1)));
    const V value = hn::Div(hn::IfThenElse(is_odd, hn::Neg(cosine), sine), hn::IfThenElse(is_odd, sine, cosine));
    return hn::IfThenElse(hn::Eq(x, hn::Zero(D())), x, value);
  }
};

// Returns atan(y / x) for y >= 0 and x > 0.
template <bool kNarrow>
HWY_INLINE V AngleOf(V y, V x) {
  // Above tan(pi / 8), pi / 4 is subtracted: (y - x) / (y + x) is the tangent of the remainder.
  const V small = hn::Min(x, y), large = hn::Max(x, y);
  const M is_far = hn::Gt(small, hn::Mul(large, C(0x1.a827999fcef32p-2)));
  const V t = hn::Div(hn::IfThenElse(is_far, hn::Sub(small, large), small),
                      hn::IfThenElse(is_far, hn::Add(small, large), large));
  const V z = hn::Mul(t, t);
  const V tail = hn::Mul(hn::Mul(z, t), Polynomial<kNarrow>(z, kAtanTailNarrow, kAtanTail));
  const V rest = hn::IfThenElseZero(is_far, C(kHalfPiRest / 2));
  const V octant = hn::Add(hn::IfThenElseZero(is_far, C(kHalfPi / 2)), hn::Add(t, hn::Add(tail, rest)));
  return hn::IfThenElse(hn::Gt(y, x), hn::Sub(C(kHalfPi), hn::Sub(octant, C(kHalfPiRest))), octant);
}

struct Atan {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return hn::Le(hn::Abs(x), C(0x1p1000));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    return hn::CopySign(AngleOf<kNarrow>(hn::Abs(x), C(1.0)), x);
  }
};

struct Atan2 {
  // Neither the quotient nor a sum may leave the range of normal numbers.
  template <bool kNarrow>
  static HWY_INLINE M Holds(V y, V x) {
    const auto is_moderate = [](V a) HWY_ATTR { return IsBetween(C(0x1p-500), hn::Abs(a), C(0x1p500)); };
    return hn::And(is_moderate(y), is_moderate(x));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V y, V x) {
    const V angle = AngleOf<kNarrow>(hn::Abs(y), hn::Abs(x));
    const V mirrored = hn::Sub(C(2 * kHalfPi), hn::Sub(angle, C(2 * kHalfPiRest)));
    return hn::CopySign(hn::IfThenElse(hn::Lt(x, hn::Zero(D())), mirrored, angle), y);
  }
};

// Reduces a = |x|: above 1/2, asin(a) = pi / 2 - 2 asin(s) for s = sqrt((1 - a) / 2); otherwise s = a. Returns s, and
// asin(s) - s in `beyond`.
template <bool kNarrow>
HWY_INLINE V AsinReduced(V a, M is_large, V& beyond) {
  const V square = hn::Mul(C(0.5), hn::Sub(C(1.0), a));
  const V z = hn::IfThenElse(is_large, square, hn::Mul(a, a));
  const V s = hn::IfThenElse(is_large, hn::Sqrt(square), a);
  beyond = hn::Mul(hn::Mul(s, z), Polynomial<kNarrow>(z, kAsinTailNarrow, kAsinTail));
  return s;
}

struct Asin {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return hn::Le(hn::Abs(x), C(1.0));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V a = hn::Abs(x);
    const M is_large = hn::Gt(a, C(0.5));
    V beyond;
    const V s = AsinReduced<kNarrow>(a, is_large, beyond), value = hn::Add(s, beyond);
    const V large = hn::Sub(C(kHalfPi), hn::Sub(hn::Add(value, value), C(kHalfPiRest)));
    return hn::CopySign(hn::IfThenElse(is_large, large, value), x);
  }
};

struct Acos {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return Asin::Holds<kNarrow>(x);
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V a = hn::Abs(x);
    const M is_large = hn::Gt(a, C(0.5)), is_negative = hn::Lt(x, hn::Zero(D()));
    V beyond;
    const V s = AsinReduced<kNarrow>(a, is_large, beyond);
    // Computes pi / 2 - asin(x), or half of the result.
    const V from_half_pi = hn::Sub(hn::CopySign(s, x), hn::Sub(C(kHalfPiRest), hn::CopySign(beyond, x)));
    const V middle = hn::Sub(C(kHalfPi), from_half_pi);
    const V behind = hn::Sub(C(kHalfPi), hn::Add(s, hn::Sub(beyond, C(kHalfPiRest))));
    const V half = hn::IfThenElse(is_negative, behind, hn::Add(s, beyond));
    return hn::IfThenElse(is_large, hn::Add(half, half), middle);
  }
};

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
