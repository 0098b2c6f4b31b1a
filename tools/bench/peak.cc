#include "tools/bench/peak.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tools/bench/peak.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Enough sums that no instruction waits for the result of an earlier one.
constexpr int kSums = 12;

// The compiler must not leave out what computes this.
template <class V>
HWY_INLINE void Use(V v) {
  asm volatile("" : : "r,m"(&v) : "memory");
}

template <class T>
void MultiplyAndAddFloats(double operations) {
  const hn::ScalableTag<T> d;
  const auto factor = hn::Set(d, T{0.5}), term = hn::Set(d, T{1});
  hn::Vec<decltype(d)> sums[kSums];
  for (auto& sum : sums) sum = term;
  for (double done = 0; done < operations; done += 2.0 * kSums * hn::Lanes(d)) {
#pragma GCC unroll 12
    for (auto& sum : sums) sum = hn::MulAdd(sum, factor, term);
  }
  for (auto& sum : sums) Use(sum);
}

void MultiplyAndAddF32(double operations) { MultiplyAndAddFloats<float>(operations); }
void MultiplyAndAddF64(double operations) { MultiplyAndAddFloats<double>(operations); }

void MultiplyAndAddBytes(double operations) {
#if HWY_TARGET == HWY_AVX3
  if (!__builtin_cpu_supports("avx512vnni")) return MultiplyAndAddF32(operations);
  const hn::ScalableTag<std::int32_t> d;
  const auto factors = hn::Set(d, 0x01010101);
  hn::Vec<decltype(d)> sums[kSums];
  for (auto& sum : sums) sum = factors;
  for (double done = 0; done < operations; done += 8.0 * kSums * hn::Lanes(d)) {
#pragma GCC unroll 12
    for (auto& sum : sums) asm volatile("vpdpbusd %1, %1, %0" : "+v"(sum.raw) : "v"(factors.raw));
  }
#else
  MultiplyAndAddF32(operations);
#endif
}

}  // namespace assay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(MultiplyAndAddF32);
HWY_EXPORT(MultiplyAndAddF64);
HWY_EXPORT(MultiplyAndAddBytes);

void MultiplyAndAdd(ProductKind kind, double operations) {
  switch (kind) {
    case ProductKind::kF32:
      return HWY_DYNAMIC_DISPATCH(MultiplyAndAddF32)(operations);
    case ProductKind::kF64:
      return HWY_DYNAMIC_DISPATCH(MultiplyAndAddF64)(operations);
    case ProductKind::kBytes:
      return HWY_DYNAMIC_DISPATCH(MultiplyAndAddBytes)(operations);
  }
}

}  // namespace assay
#endif
