#include "backends/simd/loops/repeat.h"

#include <cstring>

#include "interpreter/types/repeat.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/loops/repeat.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void Repeat(const std::byte* const* operands, std::byte* result, std::int64_t n) {
  T element;
  std::memcpy(&element, operands[0], sizeof(T));
  auto* const out = reinterpret_cast<T*>(result);
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::Set(d, element), d, out + i);
  if (i < n) FillWith(sizeof(T), operands[0], reinterpret_cast<std::byte*>(out + i), n - i);
}

Loop RepeatOf(int bytes) {
  switch (bytes) {
    case 1:
      return Repeat<std::uint8_t>;
    case 2:
      return Repeat<std::uint16_t>;
    case 4:
      return Repeat<std::uint32_t>;
    case 8:
      return Repeat<std::uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(RepeatOf);

Loop RepeatLoop(int bytes) { return HWY_DYNAMIC_DISPATCH(RepeatOf)(bytes); }

}  // namespace assay::simd
#endif  // HWY_ONCE
