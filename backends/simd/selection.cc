#include "backends/simd/selection.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/selection.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct Equal {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Eq(a, b);
  }
};
// Replaces Highway's Ne, for which two NaNs are equal on AVX-512 (1.0.3).
struct NotEqual {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Not(hn::Eq(a, b));
  }
};
struct Less {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Lt(a, b);
  }
};
struct LessOrEqual {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    if constexpr (std::is_floating_point_v<hn::TFromV<V>>)
      return hn::Le(a, b);
    else
      return hn::Not(hn::Lt(b, a));
  }
};

template <class Body, class T>
HWY_INLINE bool Holds(T a, T b) {
  const hn::CappedTag<T, 1> one;
  return hn::AllTrue(one, Body()(hn::Set(one, a), hn::Set(one, b)));
}

template <class Body, class T, bool kSwapped>
void CompareArrays(const std::byte* const* operands, std::byte* result, std::int64_t n) {
  const auto* const a = reinterpret_cast<const T*>(operands[kSwapped ? 1 : 0]);
  const auto* const b = reinterpret_cast<const T*>(operands[kSwapped ? 0 : 1]);
  auto* const out = reinterpret_cast<std::uint8_t*>(result);
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> words;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto holds = hn::RebindMask(words, Body()(hn::LoadU(d, a + i), hn::LoadU(d, b + i)));
    hn::StoreU(hn::DemoteTo(bytes, hn::IfThenElseZero(holds, hn::Set(words, 1))), bytes, out + i);
  }
  for (; i < n; ++i) out[i] = Holds<Body>(a[i], b[i]) ? 1 : 0;
}

void SelectArrays(const std::byte* const* operands, std::byte* result, std::int64_t n) {
  const auto* const predicate = reinterpret_cast<const std::uint8_t*>(operands[0]);
  const auto* const a = reinterpret_cast<const std::uint32_t*>(operands[1]);
  const auto* const b = reinterpret_cast<const std::uint32_t*>(operands[2]);
  auto* const out = reinterpret_cast<std::uint32_t*>(result);
  const hn::ScalableTag<std::uint32_t> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto is_false = hn::Eq(hn::PromoteTo(d, hn::LoadU(bytes, predicate + i)), hn::Zero(d));
    hn::StoreU(hn::IfThenElse(is_false, hn::LoadU(d, b + i), hn::LoadU(d, a + i)), d, out + i);
  }
  for (; i < n; ++i) out[i] = predicate[i] != 0 ? a[i] : b[i];
}

template <class T>
Loop OfDirection(std::string_view direction) {
  if (direction == "EQ") return CompareArrays<Equal, T, false>;
  if (direction == "NE") return CompareArrays<NotEqual, T, false>;
  if (direction == "LT") return CompareArrays<Less, T, false>;
  if (direction == "LE") return CompareArrays<LessOrEqual, T, false>;
  if (direction == "GT") return CompareArrays<Less, T, true>;
  return CompareArrays<LessOrEqual, T, true>;
}

Loop ComparisonOf(PrimitiveType type, std::string_view direction) {
  if (type == F32) return OfDirection<float>(direction);
  if (type == S32) return OfDirection<std::int32_t>(direction);
  if (type == U32) return OfDirection<std::uint32_t>(direction);
  return nullptr;
}

Loop Selection() { return SelectArrays; }

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {
namespace {

HWY_EXPORT(ComparisonOf);
HWY_EXPORT(Selection);

constexpr std::string_view kCompareNames[] = {"compare"};
constexpr std::string_view kSelectNames[] = {"select"};

Kernel KernelOfCompare(const HloInstruction& compare) {
  const PrimitiveType type = compare.operand(0).shape.element_type();
  const bool is_plain = compare.operand(1).shape.element_type() == type && !IsTotalOrder(compare);
  return KernelOfLoop(is_plain ? HWY_DYNAMIC_DISPATCH(ComparisonOf)(type, compare.String("direction")) : nullptr,
                      compare);
}

Kernel KernelOfSelect(const HloInstruction& select) {
  const PrimitiveType type = select.shape.element_type();
  const bool is_plain = StorageBytes(type) == 4 && select.operand(1).shape.element_type() == type &&
                        select.operand(2).shape.element_type() == type;
  return KernelOfLoop(is_plain ? HWY_DYNAMIC_DISPATCH(Selection)() : nullptr, select);
}

}  // namespace

bool IsTotalOrder(const HloInstruction& compare) {
  return compare.String("type") == "TOTALORDER" || compare.String("order") == "TOTAL";
}

const Family kCompare = {.ops = kCompareNames, .kernel = KernelOfCompare};
const Family kSelect = {.ops = kSelectNames, .kernel = KernelOfSelect};

}  // namespace assay::simd
#endif  // HWY_ONCE
