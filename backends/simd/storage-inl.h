// Loads and stores of each element type as vectors of the type that computes, and the loop over them. Included once for
// each target.
#if defined(ASSAY_SIMD_STORAGE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_SIMD_STORAGE_INL
#undef ASSAY_SIMD_STORAGE_INL
#else
#define ASSAY_SIMD_STORAGE_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "backends/simd/targets.h"
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Stores f64 numbers as f32, rounded once.
template <class Numbers>
HWY_INLINE void StoreAsF32(Numbers numbers, float* out) {
#if HWY_TARGET == HWY_SCALAR
  // Highway 1.0.3 demotes an overflow to the largest number on this target.
  *out = static_cast<float>(hn::GetLane(numbers));
#else
  const hn::Rebind<float, hn::DFromV<Numbers> > narrow;
  hn::StoreU(hn::DemoteTo(narrow, numbers), narrow, out);
#endif
}

// Elements that are computed in their own type.
template <class T>
struct Direct {
  using Stored = T;
  using Tag = hn::ScalableTag<T>;
  static HWY_INLINE hn::Vec<Tag> Load(const T* in) { return hn::LoadU(Tag(), in); }
  static HWY_INLINE void Store(hn::Vec<Tag> value, T* out) { hn::StoreU(value, Tag(), out); }
};

using FloatTag = hn::ScalableTag<float>;
using FloatBits = hn::RebindToUnsigned<FloatTag>;
using Halves = hn::Rebind<std::uint16_t, FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Bits = hn::Vec<FloatBits>;

HWY_INLINE Bits B(std::uint32_t bits) { return hn::Set(FloatBits(), bits); }
HWY_INLINE Bits BitsOf(Floats value) { return hn::BitCast(FloatBits(), value); }
HWY_INLINE Floats FloatOf(Bits bits) { return hn::BitCast(FloatTag(), bits); }

// bf16 is the upper half of f32. An operation in f32 and a second rounding equal one rounding (Figueroa 1995).
struct Bf16 {
  using Stored = std::uint16_t;
  using Tag = FloatTag;
  static HWY_INLINE Floats Load(const Stored* in) {
    return FloatOf(hn::ShiftLeft<16>(hn::PromoteTo(FloatBits(), hn::LoadU(Halves(), in))));
  }
  static HWY_INLINE void Store(Floats value, Stored* out) {
    const Bits bits = BitsOf(value);
    const Bits odd = hn::And(hn::ShiftRight<16>(bits), B(1));
    const Bits rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(B(0x7fff), odd)));
    const Bits nan = hn::Or(hn::ShiftRight<16>(bits), B(0x40));
    const auto is_nan = hn::RebindMask(FloatBits(), hn::IsNaN(value));
    hn::StoreU(
        hn::DemoteTo(Halves(), hn::BitCast(hn::RebindToSigned<FloatBits>(), hn::IfThenElse(is_nan, nan, rounded))),
        Halves(), out);
  }
};

// f16 by integer operations, because some instruction sets lack the conversion. The exponents have 5 bits with bias 15
// and 8 bits with bias 127.
struct F16Storage {
  using Stored = std::uint16_t;
  using Tag = FloatTag;
  static constexpr std::uint32_t kLeastNormal = 113u << 23;  // 2^-14
  static HWY_INLINE Floats Load(const Stored* in) {
    const Bits bits = hn::PromoteTo(FloatBits(), hn::LoadU(Halves(), in));
    const Bits magnitude = hn::ShiftLeft<13>(hn::And(bits, B(0x7fff)));
    const Bits exponent = hn::And(magnitude, B(0x7c00u << 13));
    const Bits normal = hn::Add(magnitude, B(112u << 23));
    const Bits infinite = hn::Add(normal, B(112u << 23));
    const Floats subnormal = hn::Sub(FloatOf(hn::Add(normal, B(1u << 23))), FloatOf(B(kLeastNormal)));
    const Bits value = hn::IfThenElse(hn::Eq(exponent, B(0x7c00u << 13)), infinite,
                                      hn::IfThenElse(hn::Eq(exponent, B(0)), BitsOf(subnormal), normal));
    return FloatOf(hn::Or(value, hn::ShiftLeft<16>(hn::And(bits, B(0x8000)))));
  }
  static HWY_INLINE void Store(Floats value, Stored* out) {
    const Floats magnitude = hn::Abs(value);
    const Bits bits = BitsOf(magnitude);
    const Bits odd = hn::And(hn::ShiftRight<13>(bits), B(1));
    const Bits normal =
        hn::ShiftRight<13>(hn::Add(hn::Add(bits, B((static_cast<std::uint32_t>(15 - 127) << 23) + 0xfff)), odd));
    // Adding 1/2 leaves the rounded multiple of 2^-24 in the low bits.
    const Bits subnormal = hn::Sub(BitsOf(hn::Add(magnitude, hn::Set(FloatTag(), 0.5f))), B(126u << 23));
    const auto is_small = hn::RebindMask(FloatBits(), hn::Lt(magnitude, FloatOf(B(kLeastNormal))));
    const auto is_infinite = hn::RebindMask(FloatBits(), hn::Ge(magnitude, hn::Set(FloatTag(), 65536.0f)));
    const auto is_nan = hn::RebindMask(FloatBits(), hn::IsNaN(value));
    Bits result = hn::IfThenElse(is_small, subnormal, normal);
    result = hn::IfThenElse(is_infinite, B(0x7c00), result);
    result = hn::IfThenElse(is_nan, B(0x7e00), result);
    result = hn::Or(result, hn::And(hn::ShiftRight<16>(BitsOf(value)), B(0x8000)));
    hn::StoreU(hn::DemoteTo(Halves(), hn::BitCast(hn::RebindToSigned<FloatBits>(), result)), Halves(), out);
  }
};

// Computes result[i] = Body(operands[0][i], ...) for n elements. The result may be one of the operands.
template <class Body, class In, class Out, std::size_t kOperands>
void Run(const std::byte* const* operands, std::byte* result, std::int64_t n) {
  using Stored = typename In::Stored;
  using Result = typename Out::Stored;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(typename In::Tag()));
  const auto apply = [](const Stored* a, const Stored* b, const Stored* c, Result* out) HWY_ATTR {
    if constexpr (kOperands == 1)
      Out::Store(Body()(In::Load(a)), out);
    else if constexpr (kOperands == 2)
      Out::Store(Body()(In::Load(a), In::Load(b)), out);
    else
      Out::Store(Body()(In::Load(a), In::Load(b), In::Load(c)), out);
  };
  const Stored* in[3] = {};
  for (std::size_t k = 0; k < kOperands; ++k) in[k] = reinterpret_cast<const Stored*>(operands[k]);
  auto* const out = reinterpret_cast<Result*>(result);
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) apply(in[0] + i, in[1] + i, in[2] + i, out + i);
  if (i >= n) return;
  constexpr std::size_t kMost = hn::MaxLanes(typename In::Tag());
  Stored last[3][kMost] = {};
  Result last_out[kMost];
  for (std::size_t k = 0; k < kOperands; ++k) std::copy(in[k] + i, in[k] + n, last[k]);
  apply(last[0], last[1], last[2], last_out);
  std::copy(last_out, last_out + (n - i), out + i);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
