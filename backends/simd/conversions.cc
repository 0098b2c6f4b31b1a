#include <limits>
#include <string_view>

#include "backends/simd/elementwise.h"
#include "interpreter/numerics/convert.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/conversions.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#include "backends/simd/storage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

using Int32 = hn::RebindToSigned<FloatTag>;

// Small integers, as s32. Storing them saturates: Highway 1.0.3 does not do so for all numbers.
template <class T>
struct Small {
  using Stored = T;
  using Tag = Int32;
  static HWY_INLINE hn::Vec<Int32> Load(const T* in) {
    return hn::PromoteTo(Int32(), hn::LoadU(hn::Rebind<T, Int32>(), in));
  }
  static HWY_INLINE void Store(hn::Vec<Int32> value, T* out) {
    const hn::Rebind<T, Int32> d;
    const auto least = hn::Set(Int32(), std::numeric_limits<T>::min());
    const auto greatest = hn::Set(Int32(), std::numeric_limits<T>::max());
    hn::StoreU(hn::DemoteTo(d, hn::Max(least, hn::Min(value, greatest))), d, out);
  }
};

struct Same {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return a;
  }
};
struct ToFloat {
  HWY_INLINE Floats operator()(hn::Vec<Int32> a) const { return hn::ConvertTo(FloatTag(), a); }
};
// Rounds toward zero and saturates; NaN becomes 0.
struct ToInteger {
  HWY_INLINE hn::Vec<Int32> operator()(Floats a) const {
    const auto number = hn::ConvertTo(Int32(), hn::IfThenElseZero(hn::Eq(a, a), a));
    const auto is_large = hn::RebindMask(Int32(), hn::Ge(a, hn::Set(FloatTag(), 0x1p31f)));
    return hn::IfThenElse(is_large, hn::Set(Int32(), INT32_MAX), number);
  }
};

struct Conversion {
  PrimitiveType from, to;
  Loop loop;
};

template <class In>
constexpr Loop ToReal(PrimitiveType to) {
  if (to == F32) return Run<ToFloat, In, Direct<float>, 1>;
  return to == BF16 ? Run<ToFloat, In, Bf16, 1> : Run<ToFloat, In, F16Storage, 1>;
}

constexpr Conversion kLoops[] = {
    {F32, BF16, Run<Same, Direct<float>, Bf16, 1>},
    {F32, F16, Run<Same, Direct<float>, F16Storage, 1>},
    {BF16, F32, Run<Same, Bf16, Direct<float>, 1>},
    {BF16, F16, Run<Same, Bf16, F16Storage, 1>},
    {F16, F32, Run<Same, F16Storage, Direct<float>, 1>},
    {F16, BF16, Run<Same, F16Storage, Bf16, 1>},
    {F32, S32, Run<ToInteger, Direct<float>, Direct<std::int32_t>, 1>},
    {F32, S8, Run<ToInteger, Direct<float>, Small<std::int8_t>, 1>},
    {F32, U8, Run<ToInteger, Direct<float>, Small<std::uint8_t>, 1>},
    {S32, F32, Run<ToFloat, Direct<std::int32_t>, Direct<float>, 1>},
    {S8, S32, Run<Same, Small<std::int8_t>, Direct<std::int32_t>, 1>},
    {U8, S32, Run<Same, Small<std::uint8_t>, Direct<std::int32_t>, 1>},
    {PRED, S32, Run<Same, Small<std::uint8_t>, Direct<std::int32_t>, 1>},
    {S8, F32, ToReal<Small<std::int8_t>>(F32)},
    {S8, BF16, ToReal<Small<std::int8_t>>(BF16)},
    {U8, F32, ToReal<Small<std::uint8_t>>(F32)},
    {U8, BF16, ToReal<Small<std::uint8_t>>(BF16)},
    {PRED, F32, ToReal<Small<std::uint8_t>>(F32)},
    {PRED, BF16, ToReal<Small<std::uint8_t>>(BF16)},
    {PRED, F16, ToReal<Small<std::uint8_t>>(F16)},
};

// Returns the loop of a conversion; null if the evaluator's suffices.
Loop ConversionOf(PrimitiveType from, PrimitiveType to) {
  for (const Conversion& conversion : kLoops) {
    if (conversion.from == from && conversion.to == to) return conversion.loop;
  }
  return nullptr;
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {
namespace {

HWY_EXPORT(ConversionOf);

constexpr std::string_view kNames[] = {"convert"};

Kernel KernelOf(const HloInstruction& convert) {
  const PrimitiveType from = convert.operand(0).shape.element_type(), to = convert.shape.element_type();
  const Loop loop = HWY_DYNAMIC_DISPATCH(ConversionOf)(from, to);
  return KernelOfLoop(loop, convert);
}

}  // namespace

void ConvertElements(PrimitiveType from, const std::byte* in, PrimitiveType to, std::byte* out, std::int64_t count) {
  if (const Loop loop = HWY_DYNAMIC_DISPATCH(ConversionOf)(from, to)) return loop(&in, out, count);
  Convert(from, in, to, out, count);
}

const Family kConversions = {.ops = kNames, .kernel = KernelOf};

}  // namespace assay::simd
#endif  // HWY_ONCE
