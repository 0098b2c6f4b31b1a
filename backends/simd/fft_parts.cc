#include "backends/simd/fft_parts.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/fft_parts.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Magnitudes compare as their bits do, those of infinity and NaN above all others.
template <class T>
T Largest(const T* numbers, std::int64_t n) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> bits;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto bits_at = [&](std::int64_t i) HWY_ATTR { return hn::BitCast(bits, hn::Abs(hn::LoadU(d, numbers + i))); };
  auto even = hn::Zero(bits), odd = hn::Zero(bits);
  std::int64_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    even = hn::Max(even, bits_at(i));
    odd = hn::Max(odd, bits_at(i + lanes));
  }
  for (; i + lanes <= n; i += lanes) even = hn::Max(even, bits_at(i));
  const hn::CappedTag<T, 1> one;
  const hn::RebindToSigned<decltype(one)> bits_of_one;
  auto rest = hn::Zero(bits_of_one);
  for (; i < n; ++i) rest = hn::Max(rest, hn::BitCast(bits_of_one, hn::Abs(hn::LoadU(one, numbers + i))));
  HWY_ALIGN T all[hn::MaxLanes(d)];
  hn::Store(hn::BitCast(d, hn::Max(even, odd)), d, all);
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    rest = hn::Max(rest, hn::BitCast(bits_of_one, hn::LoadU(one, all + lane)));
  }
  return hn::GetLane(hn::BitCast(one, rest));
}

template <class T>
void Divide(T* numbers, std::int64_t n, T divisor) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto by = hn::Set(d, divisor);
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::Div(hn::LoadU(d, numbers + i), by), d, numbers + i);
  for (; i < n; ++i) numbers[i] /= divisor;
}

float LargestFloat(const float* numbers, std::int64_t n) { return Largest(numbers, n); }
double LargestDouble(const double* numbers, std::int64_t n) { return Largest(numbers, n); }
void DivideFloats(float* numbers, std::int64_t n, float divisor) { Divide(numbers, n, divisor); }
void DivideDoubles(double* numbers, std::int64_t n, double divisor) { Divide(numbers, n, divisor); }

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(LargestFloat);
HWY_EXPORT(LargestDouble);
HWY_EXPORT(DivideFloats);
HWY_EXPORT(DivideDoubles);

float LargestMagnitude(const float* numbers, std::int64_t n) { return HWY_DYNAMIC_DISPATCH(LargestFloat)(numbers, n); }
double LargestMagnitude(const double* numbers, std::int64_t n) {
  return HWY_DYNAMIC_DISPATCH(LargestDouble)(numbers, n);
}
void DivideAll(float* numbers, std::int64_t n, float divisor) {
  HWY_DYNAMIC_DISPATCH(DivideFloats)(numbers, n, divisor);
}
void DivideAll(double* numbers, std::int64_t n, double divisor) {
  HWY_DYNAMIC_DISPATCH(DivideDoubles)(numbers, n, divisor);
}

}  // namespace assay::simd
#endif  // HWY_ONCE
