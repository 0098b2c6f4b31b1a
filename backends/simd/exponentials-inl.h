// The exponential, the logarithm, and functions based on them. Included once for each target.
//
// A function has a formula, Value, and a mask of the operands for which it holds, Holds; the reference computes the
// others. kNarrow is for results that will be rounded to f32 or less, with shorter polynomials. All values are doubles.
#if defined(ASSAY_SIMD_EXPONENTIALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_SIMD_EXPONENTIALS_INL
#undef ASSAY_SIMD_EXPONENTIALS_INL
#else
#define ASSAY_SIMD_EXPONENTIALS_INL
#endif

#include "backends/simd/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

// The natural logarithm of two. The first part has 32 bits, so its small multiples are exact.
inline constexpr double kLog2High = 0x1.62e42feep-1, kLog2Low = 0x1.a39ef35793c76p-33;
inline constexpr double kLog2 = 0x1.62e42fefa39efp-1;
inline constexpr double kLog2E = 0x1.71547652b82fep0;
// The same as kShifter, for f32.
inline constexpr float kFloatShifter = 0x1.8p23f;
inline constexpr float kLog2First = 0x1.62ep-1f, kLog2Rest = 0x1.0bfbe8p-15f;
// The operand beyond which the exponential has overflowed or underflowed, in a narrow type or in f64.
template <bool kNarrow>
inline constexpr double kFarOut = kNarrow ? 250.0 : 800.0;

template <bool kNarrow>
HWY_INLINE V Clamped(V x) {
  return hn::Min(hn::Max(x, C(-kFarOut<kNarrow>)), C(kFarOut<kNarrow>));
}

// Returns exp(r) - 1 for x + more = n log(2) + r with |r| at most log(2) / 2. The low bits of `shifted` receive n.
HWY_INLINE V ReducedExpm1(V x, V more, V& shifted) {
  shifted = hn::MulAdd(x, C(kLog2E), C(kShifter));
  const V n = hn::Sub(shifted, C(kShifter));
  const V high = hn::NegMulAdd(n, C(kLog2High), x), low = hn::NegMulAdd(n, C(kLog2Low), more);
  const V r = hn::Add(high, low);
  const V lost = hn::Add(hn::Sub(high, r), low);
  return hn::Add(r, hn::Add(hn::Mul(hn::Mul(r, r), Polynomial(r, kExpTail)), lost));
}

// The same for a result that will be rounded to f32 or less, which the roundings of n log(2) do not reach.
HWY_INLINE V NarrowReducedExpm1(V x, V& shifted) {
  shifted = hn::MulAdd(x, C(kLog2E), C(kShifter));
  const V r = hn::NegMulAdd(hn::Sub(shifted, C(kShifter)), C(kLog2), x);
  const V square = hn::Mul(r, r);
  return hn::MulAdd(square, ShortPolynomial(r, square, kExpTailNarrow), r);
}

HWY_INLINE V NarrowExp(V x) {
  V shifted;
  const V value = hn::Add(C(1.0), NarrowReducedExpm1(x, shifted));
  return TimesPowerOfTwo(value, shifted);
}

// Returns exp(x + more) for |x| up to kFarOut; `more` is a small addend.
template <bool kNarrow>
HWY_INLINE V Exp(V x, V more) {
  if constexpr (kNarrow) return NarrowExp(hn::Add(x, more));
  V shifted;
  const V value = hn::Add(C(1.0), ReducedExpm1(x, more, shifted));
  return Scaled(value, hn::Sub(shifted, C(kShifter)));
}
template <bool kNarrow>
HWY_INLINE V Exp(V x) {
  if constexpr (kNarrow) return NarrowExp(x);
  return Exp<kNarrow>(x, hn::Zero(D()));
}

// Returns exp(x) - 1 for x from -50 to 709.
template <bool kNarrow>
HWY_INLINE V Expm1(V x) {
  V shifted;
  const V reduced = kNarrow ? NarrowReducedExpm1(x, shifted) : ReducedExpm1(x, hn::Zero(D()), shifted);
  const V scale = PowerOfTwo(shifted);
  return hn::MulAdd(scale, reduced, hn::Sub(scale, C(1.0)));
}

// Returns log(2^exponent (1 + f) + c), for small c and f from sqrt(1/2) - 1 to sqrt(2) - 1. The formulas are those of
// FreeBSD's msun.
template <bool kNarrow>
HWY_INLINE V LogOf(V exponent, V f, V c) {
  const V s = hn::Div(f, hn::Add(C(2.0), f));
  const V z = hn::Mul(s, s), half_square = hn::Mul(hn::Mul(C(0.5), f), f);
  const V tail = hn::Mul(hn::Add(z, z), Polynomial<kNarrow>(z, kAtanhTailNarrow, kAtanhTail));
  const V low = hn::MulAdd(s, hn::Add(half_square, tail), hn::MulAdd(exponent, C(kLog2Low), c));
  return hn::Sub(hn::Mul(exponent, C(kLog2High)), hn::Sub(hn::Sub(half_square, low), f));
}

template <bool kNarrow>
HWY_INLINE V Log(V x) {
  V exponent;
  const V m = Significand(x, exponent);
  return LogOf<kNarrow>(exponent, hn::Sub(m, C(1.0)), hn::Zero(D()));
}

// Returns log(1 + x) for x above -1. c corrects the rounding of the sum 1 + x.
template <bool kNarrow>
HWY_INLINE V Log1p(V x) {
  const V one = C(1.0), u = hn::Add(one, x);
  V exponent;
  const V m = Significand(u, exponent);
  const M is_small = hn::Eq(exponent, hn::Zero(D()));
  const V f = hn::IfThenElse(is_small, x, hn::Sub(m, one));
  const V lost =
      hn::IfThenElse(hn::Gt(exponent, hn::Zero(D())), hn::Sub(one, hn::Sub(u, x)), hn::Sub(x, hn::Sub(u, one)));
  return LogOf<kNarrow>(exponent, f, hn::IfThenZeroElse(is_small, hn::Div(lost, u)));
}

// Returns high for x = n log(2) + r with |r| at most log(2) / 2, and r = high - n kLog2Rest. The low bits of `shifted`
// receive n. High is exact, because the multiples of the first part of log(2) are.
template <class Tag, class Vector>
HWY_INLINE Vector ReducedFloat(Tag d, Vector x, Vector& shifted, Vector& n) {
  const auto shifter = hn::Set(d, kFloatShifter);
  shifted = hn::MulAdd(x, hn::Set(d, static_cast<float>(kLog2E)), shifter);
  n = hn::Sub(shifted, shifter);
  return hn::NegMulAdd(n, hn::Set(d, kLog2First), x);
}

struct Exponential {
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    return Exp<kNarrow>(Clamped<kNarrow>(x));
  }

  // True if exp(x) and its power of two are normal.
  template <class Tag>
  static HWY_INLINE hn::Mask<Tag> IsNear(Tag d, hn::Vec<Tag> x) {
    return hn::Le(hn::Abs(x), hn::Set(d, 87.0f));
  }
  template <class Tag>
  static HWY_INLINE hn::Vec<Tag> OfNear(Tag d, hn::Vec<Tag> x) {
    const hn::RebindToUnsigned<Tag> bits;
    hn::Vec<Tag> shifted;
    const auto value = Reduced(d, x, shifted);
    return hn::BitCast(d, hn::Add(hn::ShiftLeft<23>(hn::BitCast(bits, shifted)), hn::BitCast(bits, value)));
  }
  // Multiplies by two powers of two, because one would be subnormal or infinite for results near the ends of the range.
  template <class Tag>
  static HWY_INLINE hn::Vec<Tag> OfFloats(Tag d, hn::Vec<Tag> x) {
    constexpr float kAlmostZero = -104.0f, kAlmostInfinite = 89.0f;
    const hn::RebindToSigned<Tag> bits;
    hn::Vec<Tag> shifted;
    const auto value = Reduced(d, hn::Min(hn::Max(x, hn::Set(d, kAlmostZero)), hn::Set(d, kAlmostInfinite)), shifted);
    const auto n = hn::Sub(hn::BitCast(bits, shifted), hn::BitCast(bits, hn::Set(d, kFloatShifter)));
    const auto half = hn::ShiftRight<1>(n), one = hn::BitCast(bits, hn::Set(d, 1.0f));
    const auto scale = hn::BitCast(d, hn::Add(hn::ShiftLeft<23>(half), one));
    return hn::Mul(hn::Mul(value, scale), hn::BitCast(d, hn::Add(hn::ShiftLeft<23>(hn::Sub(n, half)), one)));
  }

 private:
  // Returns exp(r) for x = n log(2) + r. The tail has the error of 1 + high, so that the last sum alone rounds a number
  // near 1.
  template <class Tag>
  static HWY_INLINE hn::Vec<Tag> Reduced(Tag d, hn::Vec<Tag> x, hn::Vec<Tag>& shifted) {
    hn::Vec<Tag> n;
    const auto high = ReducedFloat(d, x, shifted, n), one = hn::Set(d, 1.0f), rest = hn::Set(d, kLog2Rest);
    const auto r = hn::NegMulAdd(n, rest, high), square = hn::Mul(r, r), sum = hn::Add(one, high);
    const auto low = hn::NegMulAdd(n, rest, hn::Sub(high, hn::Sub(sum, one)));
    return hn::Add(sum, hn::MulAdd(square, ShortPolynomial(r, square, kExpTailNarrow), low));
  }
};

struct ExponentialMinusOne {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return kNarrow ? hn::Eq(x, x) : hn::Le(x, C(709.0));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    return hn::CopySign(Expm1<kNarrow>(hn::Min(hn::Max(x, C(-50.0)), C(kNarrow ? 250.0 : 709.0))), x);
  }
};

struct Logarithm {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return IsPositive(x);
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    return Log<kNarrow>(x);
  }
};

struct LogPlusOne {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return hn::And(hn::Gt(x, C(-1.0)), hn::Le(x, C(0x1p1000)));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    return hn::CopySign(Log1p<kNarrow>(x), x);
  }
};

// 1 / (1 + exp(-x)).
struct Logistic {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return kNarrow ? hn::Eq(x, x) : hn::Ge(x, C(-708.0));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    return hn::Div(C(1.0), hn::Add(C(1.0), Exp<kNarrow>(hn::Neg(Clamped<kNarrow>(x)))));
  }
};

// With t = exp(-2 |x|) - 1, |tanh(x)| = -t / (t + 2).
struct Tanh {
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V t = Expm1<kNarrow>(hn::Mul(C(-2.0), hn::Min(hn::Abs(x), C(22.0))));
    return hn::CopySign(hn::Div(t, hn::Add(t, C(2.0))), x);
  }

  // Computes f32 numbers in f32, because a vector has twice as many of them: by a polynomial up to kLargestOfTail, else
  // as 1 - 2 / (exp(2 |x|) + 1), where the errors of the quotient are small beside the 1.
  template <class Tag>
  static HWY_INLINE hn::Vec<Tag> OfFloats(Tag d, hn::Vec<Tag> x) {
    constexpr float kLargestOfTail = 0.9f, kAlmostInfinite = 20.0f;
    const auto one = hn::Set(d, 1.0f), square = hn::Mul(x, x);
    const auto near_zero = hn::MulAdd(hn::Mul(x, square), Polynomial(square, kTanhTail), x);
    const auto twice = hn::Min(hn::Abs(hn::Add(x, x)), hn::Set(d, kAlmostInfinite));
    const auto quotient = hn::Div(hn::Set(d, 2.0f), ExpPlusOne(d, twice));
    const auto is_near_zero = hn::Lt(twice, hn::Set(d, 2 * kLargestOfTail));
    return hn::CopySign(hn::IfThenElse(is_near_zero, near_zero, hn::Sub(one, quotient)), x);
  }

 private:
  // Returns exp(x) + 1 for x from 0 to 20.
  template <class Tag>
  static HWY_INLINE hn::Vec<Tag> ExpPlusOne(Tag d, hn::Vec<Tag> x) {
    const hn::RebindToUnsigned<Tag> du;
    const auto one = hn::Set(d, 1.0f);
    hn::Vec<Tag> shifted, n;
    const auto high = ReducedFloat(d, x, shifted, n), r = hn::NegMulAdd(n, hn::Set(d, kLog2Rest), high);
    const auto square = hn::Mul(r, r), reduced = hn::MulAdd(square, ShortPolynomial(r, square, kExpTailFloat), r);
    const auto scale = hn::BitCast(d, hn::Add(hn::ShiftLeft<23>(hn::BitCast(du, shifted)), hn::BitCast(du, one)));
    return hn::MulAdd(scale, reduced, hn::Add(scale, one));
  }
};

// With t = exp(|x|) - 1, |sinh(x)| = (t + t / (t + 1)) / 2.
struct Sinh {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return kNarrow ? hn::Eq(x, x) : hn::Le(hn::Abs(x), C(709.0));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V t = Expm1<kNarrow>(hn::Min(hn::Abs(x), C(kNarrow ? 250.0 : 709.0)));
    return hn::CopySign(hn::Mul(C(0.5), hn::Add(t, hn::Div(t, hn::Add(t, C(1.0))))), x);
  }
};

struct Cosh {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return Sinh::Holds<kNarrow>(x);
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V t = Exp<kNarrow>(hn::Min(hn::Abs(x), C(kNarrow ? 250.0 : 709.0)));
    return hn::Add(hn::Mul(C(0.5), t), hn::Div(C(0.5), t));
  }
};

// With a = |x|: log1p(a + a^2 / (1 + sqrt(a^2 + 1))).
struct Asinh {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return hn::Le(hn::Abs(x), C(0x1p500));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V a = hn::Abs(x), square = hn::Mul(a, a), one = C(1.0);
    const V rest = hn::Div(square, hn::Add(one, hn::Sqrt(hn::Add(square, one))));
    return hn::CopySign(Log1p<kNarrow>(hn::Add(a, rest)), x);
  }
};

// With t = x - 1: log1p(t + sqrt(2 t + t^2)).
struct Acosh {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return IsBetween(C(1.0), x, C(0x1p500));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V t = hn::Sub(x, C(1.0));
    return Log1p<kNarrow>(hn::Add(t, hn::Sqrt(hn::MulAdd(t, t, hn::Add(t, t)))));
  }
};

// With a = |x|: log1p(2 a / (1 - a)) / 2.
struct Atanh {
  template <bool kNarrow>
  static HWY_INLINE M Holds(V x) {
    return hn::Lt(hn::Abs(x), C(1.0));
  }
  template <bool kNarrow>
  static HWY_INLINE V Value(V x) {
    const V a = hn::Abs(x);
    return hn::CopySign(hn::Mul(C(0.5), Log1p<kNarrow>(hn::Div(hn::Add(a, a), hn::Sub(C(1.0), a)))), x);
  }
};

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
