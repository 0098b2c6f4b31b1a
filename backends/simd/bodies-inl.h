// Element-wise arithmetic on vectors: functors with the meaning that interpreter/numerics/real.h and integer.h define.
// Included once for each target.
#if defined(ASSAY_SIMD_BODIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_SIMD_BODIES_INL
#undef ASSAY_SIMD_BODIES_INL
#else
#define ASSAY_SIMD_BODIES_INL
#endif

#include <type_traits>

#include "backends/simd/targets.h"
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The functor of a function of Highway.
#define ASSAY_FUNCTOR(name, function)                      \
  struct name {                                            \
    template <class V, class... Others>                    \
    HWY_INLINE V operator()(V a, Others... others) const { \
      return hn::function(a, others...);                   \
    }                                                      \
  }
ASSAY_FUNCTOR(Add, Add);
ASSAY_FUNCTOR(Subtract, Sub);
ASSAY_FUNCTOR(Divide, Div);
ASSAY_FUNCTOR(And, And);
ASSAY_FUNCTOR(Or, Or);
ASSAY_FUNCTOR(Xor, Xor);
ASSAY_FUNCTOR(Abs, Abs);
ASSAY_FUNCTOR(Sqrt, Sqrt);
ASSAY_FUNCTOR(Not, Not);
#undef ASSAY_FUNCTOR

struct Multiply {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    if constexpr (sizeof(hn::TFromV<V>) == 1) {
#if HWY_TARGET == HWY_SCALAR
      return hn::Set(hn::DFromV<V>(), static_cast<hn::TFromV<V>>(hn::GetLane(a) * hn::GetLane(b)));
#else
      // Multiplies bytes in pairs, and keeps the low halves of the two products.
      const hn::RepartitionToWide<hn::DFromV<V>> pairs;
      const auto x = hn::BitCast(pairs, a), y = hn::BitCast(pairs, b);
      const auto low = hn::And(hn::Mul(x, y), hn::Set(pairs, 0xff));
      const auto high = hn::ShiftLeft<8>(hn::Mul(hn::ShiftRight<8>(x), hn::ShiftRight<8>(y)));
      return hn::BitCast(hn::DFromV<V>(), hn::Or(low, high));
#endif
    } else {
      return hn::Mul(a, b);
    }
  }
};
struct Maximum {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    if constexpr (std::is_floating_point_v<hn::TFromV<V>>) {
      const V number = hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), hn::IfThenElse(hn::Lt(a, b), b, a));
      return hn::IfThenElse(hn::IsNaN(b), b, number);
    } else {
      return hn::Max(a, b);
    }
  }
};
struct Minimum {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    if constexpr (std::is_floating_point_v<hn::TFromV<V>>) {
      const V number = hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), hn::IfThenElse(hn::Lt(b, a), b, a));
      return hn::IfThenElse(hn::IsNaN(b), b, number);
    } else {
      return hn::Min(a, b);
    }
  }
};
struct Clamp {
  template <class V>
  HWY_INLINE V operator()(V low, V x, V high) const {
    return Minimum()(Maximum()(x, low), high);
  }
};
struct Negate {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    if constexpr (std::is_floating_point_v<hn::TFromV<V>>)
      return hn::Neg(a);
    else
      return hn::Sub(hn::Zero(hn::DFromV<V>()), a);
  }
};
// Replaces Highway's function, whose loops for machines without vectors round -0 and halves incorrectly.
struct RoundNearestEven {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    const hn::DFromV<V> d;
    const V magnitude = hn::Abs(a), shifter = hn::Set(d, hwy::MantissaEnd<hn::TFromV<V>>());
    const V rounded = hn::Sub(hn::Add(magnitude, shifter), shifter);
    return hn::CopySign(hn::IfThenElse(hn::Lt(magnitude, shifter), rounded, magnitude), a);
  }
};
struct Floor {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    const hn::DFromV<V> d;
    const V near = RoundNearestEven()(a);
    return hn::Sub(near, hn::IfThenElseZero(hn::Gt(near, a), hn::Set(d, hn::TFromV<V>(1))));
  }
};
struct Ceil {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    const hn::DFromV<V> d;
    const V near = RoundNearestEven()(a);
    return hn::CopySign(hn::Add(near, hn::IfThenElseZero(hn::Lt(near, a), hn::Set(d, hn::TFromV<V>(1)))), a);
  }
};
struct RoundNearestAfz {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    const hn::DFromV<V> d;
    const V magnitude = hn::Abs(a), whole = hn::Trunc(magnitude);
    const auto is_up = hn::Ge(hn::Sub(magnitude, whole), hn::Set(d, hn::TFromV<V>(0.5)));
    const V rounded = hn::IfThenElse(is_up, hn::Add(whole, hn::Set(d, hn::TFromV<V>(1))), whole);
    return hn::CopySign(rounded, a);
  }
};

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
