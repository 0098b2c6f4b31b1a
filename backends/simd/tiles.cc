#include "backends/simd/tiles.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/tiles.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The most that the registers hold: 32 of them with AVX-512, otherwise 16.
constexpr int kRows = HWY_TARGET == HWY_AVX3 ? 12 : 6;

// The terms a * b of a sum, an element each.
struct SingleTerms {
  template <class V>
  static HWY_INLINE V MultiplyAdd(V a, V b, V sum) {
    if constexpr (hwy::IsFloat<hn::TFromV<V>>())
      return hn::MulAdd(a, b, sum);
    else
      return hn::Add(sum, hn::Mul(a, b));
  }
};

// The terms of two s16 in each s32.
struct PairedTerms {
  template <class V>
  static HWY_INLINE V MultiplyAdd(V a, V b, V sum) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    // Highway leaves open which products a lane adds. The instruction for x86 adds those of the lane itself.
    const hn::Repartition<std::int16_t, hn::DFromV<V>> halves;
    V unused = sum;
    return hn::ReorderWidenMulAccumulate(hn::DFromV<V>(), hn::BitCast(halves, a), hn::BitCast(halves, b), sum, unused);
#else
    const auto low = [](V v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
    const auto high = [](V v) { return hn::ShiftRight<16>(v); };
    return hn::Add(sum, hn::Add(hn::Mul(low(a), low(b)), hn::Mul(high(a), high(b))));
#endif
  }
};

#if HWY_TARGET == HWY_AVX3
// The terms of four u8 and s8 in each s32. The instruction is an extension of the target, so the compiler is not asked
// for it.
struct FourTerms {
  template <class V>
  static HWY_INLINE V MultiplyAdd(V a, V b, V sum) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return sum;
  }
};
#endif

template <class T, class Terms>
void MultiplyTile(const T* HWY_RESTRICT lhs, const T* HWY_RESTRICT rhs, std::int64_t rhs_stride, std::int64_t k,
                  bool is_first, T start, T* HWY_RESTRICT out, std::int64_t stride) {
  const hn::ScalableTag<T> d;
  using Numbers = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  Numbers left[kRows], right[kRows];
#pragma GCC unroll 12
  for (int i = 0; i < kRows; ++i) {
    left[i] = is_first ? hn::Set(d, start) : hn::LoadU(d, out + i * stride);
    right[i] = is_first ? hn::Set(d, start) : hn::LoadU(d, out + i * stride + lanes);
  }
  for (std::int64_t l = 0; l < k; ++l) {
    const Numbers first = hn::LoadU(d, rhs), second = hn::LoadU(d, rhs + lanes);
#pragma GCC unroll 12
    for (int i = 0; i < kRows; ++i) {
      const Numbers factor = hn::Set(d, lhs[i]);
      left[i] = Terms::MultiplyAdd(factor, first, left[i]);
      right[i] = Terms::MultiplyAdd(factor, second, right[i]);
    }
    lhs += kRows;
    rhs += rhs_stride;
  }
#pragma GCC unroll 12
  for (int i = 0; i < kRows; ++i) {
    hn::StoreU(left[i], d, out + i * stride);
    hn::StoreU(right[i], d, out + i * stride + lanes);
  }
}

template <class T>
void Interleave(const T* HWY_RESTRICT from, std::int64_t k, T* HWY_RESTRICT to) {
  std::int64_t l = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::Full128<T> d;
  const hn::Half<decltype(d)> half;
  constexpr std::int64_t kLanes = 16 / sizeof(T);
  for (; l + kLanes <= k; l += kLanes) {
#pragma GCC unroll 12
    for (int i = 0; i < kRows; i += 2) {
      const auto row = hn::LoadU(d, from + i * k + l), next = hn::LoadU(d, from + (i + 1) * k + l);
      const hn::Vec<decltype(d)> pairs[] = {hn::InterleaveLower(d, row, next), hn::InterleaveUpper(d, row, next)};
      for (int p = 0; p < 2; ++p) {
        T* const out = to + (l + p * kLanes / 2) * kRows + i;
        if constexpr (kLanes == 2) {
          hn::StoreU(pairs[p], d, out);
        } else {
          hn::StoreU(hn::LowerHalf(half, pairs[p]), half, out);
          hn::StoreU(hn::UpperHalf(half, pairs[p]), half, out + kRows);
        }
      }
    }
  }
#endif
  for (; l < k; ++l) {
    for (int i = 0; i < kRows; ++i) to[l * kRows + i] = from[i * k + l];
  }
}

template <class T, class Terms>
T Dot(const T* HWY_RESTRICT lhs, const T* HWY_RESTRICT rhs, std::int64_t k, T start) {
  constexpr int kSums = 4;
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::Vec<decltype(d)> sums[kSums];
  for (auto& sum : sums) sum = hn::Set(d, start);
  std::int64_t l = 0;
  for (; l + kSums * lanes <= k; l += kSums * lanes) {
#pragma GCC unroll 4
    for (int i = 0; i < kSums; ++i) {
      sums[i] = Terms::MultiplyAdd(hn::LoadU(d, lhs + l + i * lanes), hn::LoadU(d, rhs + l + i * lanes), sums[i]);
    }
  }
  HWY_ALIGN T parts[hn::MaxLanes(d)];
  hn::Store(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])), d, parts);
  const hn::CappedTag<T, 1> one;
  auto sum = hn::Set(one, start);
  for (std::int64_t i = 0; i < lanes; ++i) sum = hn::Add(sum, hn::Set(one, parts[i]));
  for (; l < k; ++l) sum = Terms::MultiplyAdd(hn::Set(one, lhs[l]), hn::Set(one, rhs[l]), sum);
  return hn::GetLane(sum);
}

// Adds kTerms products to each of n sums, whole vectors of them.
template <class T, class Terms, int kTerms>
void AddTerms(const T* HWY_RESTRICT lhs, const T* HWY_RESTRICT rhs, std::int64_t rhs_stride, std::int64_t n,
              T* HWY_RESTRICT out) {
  const hn::ScalableTag<T> d;
  hn::Vec<decltype(d)> factors[kTerms];
#pragma GCC unroll 8
  for (int l = 0; l < kTerms; ++l) factors[l] = hn::Set(d, lhs[l]);
  for (std::int64_t j = 0; j < n; j += static_cast<std::int64_t>(hn::Lanes(d))) {
    auto sum = hn::LoadU(d, out + j);
#pragma GCC unroll 8
    for (int l = 0; l < kTerms; ++l) sum = Terms::MultiplyAdd(factors[l], hn::LoadU(d, rhs + l * rhs_stride + j), sum);
    hn::StoreU(sum, d, out + j);
  }
}

template <class T, class Terms>
void AddRow(const T* lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t k, std::int64_t n, T* out) {
  constexpr int kTerms = 8;
  const std::int64_t whole = n - n % static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
  const hn::CappedTag<T, 1> one;
  std::int64_t l = 0;
  for (; l + kTerms <= k; l += kTerms)
    AddTerms<T, Terms, kTerms>(lhs + l, rhs + l * rhs_stride, rhs_stride, whole, out);
  for (; l < k; ++l) AddTerms<T, Terms, 1>(lhs + l, rhs + l * rhs_stride, rhs_stride, whole, out);
  for (std::int64_t j = whole; j < n; ++j) {
    auto sum = hn::Set(one, out[j]);
    for (l = 0; l < k; ++l) sum = Terms::MultiplyAdd(hn::Set(one, lhs[l]), hn::Set(one, rhs[l * rhs_stride + j]), sum);
    out[j] = hn::GetLane(sum);
  }
}

template <class T, class Terms = SingleTerms>
Tile<T> TileOf() {
  return {kRows,
          2 * static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>())),
          MultiplyTile<T, Terms>,
          Interleave<T>,
          Dot<T, Terms>,
          AddRow<T, Terms>};
}
Tile<float> TileOfF32() { return TileOf<float>(); }
Tile<double> TileOfF64() { return TileOf<double>(); }
Tile<std::int32_t> TileOfS32() { return TileOf<std::int32_t>(); }
Tile<std::int32_t> TileOfPairs() { return TileOf<std::int32_t, PairedTerms>(); }
Tile<std::int32_t> TileOfFours() {
#if HWY_TARGET == HWY_AVX3
  if (__builtin_cpu_supports("avx512vnni")) return TileOf<std::int32_t, FourTerms>();
#endif
  return {};
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(TileOfF32);
HWY_EXPORT(TileOfF64);
HWY_EXPORT(TileOfS32);
HWY_EXPORT(TileOfPairs);
HWY_EXPORT(TileOfFours);

template <>
Tile<float> BestTile() {
  return HWY_DYNAMIC_DISPATCH(TileOfF32)();
}
template <>
Tile<double> BestTile() {
  return HWY_DYNAMIC_DISPATCH(TileOfF64)();
}
template <>
Tile<std::int32_t> BestTile() {
  return HWY_DYNAMIC_DISPATCH(TileOfS32)();
}
Tile<std::int32_t> BestTileOfPairs() { return HWY_DYNAMIC_DISPATCH(TileOfPairs)(); }
Tile<std::int32_t> BestTileOfFours() { return HWY_DYNAMIC_DISPATCH(TileOfFours)(); }

}  // namespace assay::simd
#endif  // HWY_ONCE
