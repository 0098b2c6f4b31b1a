// Folds of long windows that slide by one element. The elements are cut into blocks of a window's size, and each is
// folded with those before it in its block, and with those after it. A window is then the end of one block and the
// start of the next: two folds, whatever its size (van Herk 1992, Gil and Werman 1993). Included once for each target.
#if defined(ASSAY_SIMD_LONG_WINDOWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_SIMD_LONG_WINDOWS_INL
#undef ASSAY_SIMD_LONG_WINDOWS_INL
#else
#define ASSAY_SIMD_LONG_WINDOWS_INL
#endif

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "backends/simd/bodies-inl.h"
#include "backends/simd/reduce.h"
#include "backends/simd/storage-inl.h"
#include "interpreter/types/limits.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

// The type of partial folds. A sum of f32 has as many roundings as elements: f64 keeps its precision.
template <class Body, class T>
using Folded = std::conditional_t<std::is_same_v<Body, Add> && std::is_same_v<T, float>, double, T>;

// The folds of one vector of columns.
template <class Body, class T, class D>
class LongWindowsOfColumns {
 public:
  LongWindowsOfColumns(const T* in, const LongWindows& windows, T start, T* out)
      : in_(in), windows_(windows), start_(hn::Set(D(), static_cast<hn::TFromD<D>>(start))), out_(out) {}

  HWY_INLINE void Run() {
    const auto& [n, width, columns, positions, size, padding] = windows_;
    StoreStart(0, offset_);
    for (std::int64_t block = 0; block < n; block += size) {
      if (block > 0) FoldEnds(block - size, block);
      const std::int64_t end = std::min(n, block + size);
      // The elements with which a window ends, and those of them with which it started in the block before.
      const std::int64_t first = std::clamp(-offset_, block, end), last = std::clamp(positions - offset_, first, end);
      const std::int64_t both = block == 0 ? first : std::clamp(block + size - 1, first, last);
      V folded = FoldElements<Use::kNone>(start_, block, first, block);
      folded = FoldElements<Use::kBoth>(folded, first, both, block);
      folded = FoldElements<Use::kStart>(folded, both, last, block);
      if (last < end) return;
      if (end == n) StoreCut(block, folded);
    }
    if (n == 0) StoreStart(0, positions);
  }

 private:
  using A = hn::TFromD<D>;
  using V = hn::Vec<D>;
  using Narrow = hn::Rebind<T, D>;
  static constexpr std::int64_t kLanes = hn::MaxLanes(D());
  static constexpr std::int64_t kElementsPerCheck = 1 << 14;
  // The folds that make that of a window: none is stored, that of the start of a block alone, or that of the end of the
  // block before too.
  enum class Use { kNone, kStart, kBoth };

  static HWY_INLINE V Load(const T* from) {
    if constexpr (std::is_same_v<A, T>) {
      return hn::LoadU(D(), from);
    } else {
      return hn::PromoteTo(D(), hn::LoadU(Narrow(), from));
    }
  }
  HWY_INLINE void Store(V folded, std::int64_t position) const {
    T* const to = out_ + position * windows_.width;
    if constexpr (std::is_same_v<A, T>) {
      hn::StoreU(folded, D(), to);
    } else {
      StoreAsF32(folded, to);
    }
  }
  HWY_INLINE void StoreStart(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t p = begin; p < std::min(end, windows_.positions); ++p) Store(start_, p);
  }

  // Folds the elements [first, end) of a block into `folded`.
  template <Use kUse>
  HWY_INLINE V FoldElements(V folded, std::int64_t first, std::int64_t end, std::int64_t block) const {
    for (std::int64_t i = first; i < end; i += kElementsPerCheck) {
      CheckLimits();
      folded = FoldPiece<kUse>(folded, i, std::min(end, i + kElementsPerCheck), block);
    }
    return folded;
  }
  // Not inlined: gcc would keep the fold in memory across the calls of CheckLimits.
  template <Use kUse>
  HWY_NOINLINE V FoldPiece(V before, std::int64_t first, std::int64_t end, std::int64_t block) const {
    const A* const ends = ends_.get() - (block - 1) * kLanes;
    V folded = before;
    for (std::int64_t i = first; i < end; ++i) {
      folded = Body()(folded, Load(in_ + i * windows_.width));
      if constexpr (kUse == Use::kStart) Store(folded, i + offset_);
      if constexpr (kUse == Use::kBoth) Store(Body()(hn::LoadU(D(), ends + i * kLanes), folded), i + offset_);
    }
    return folded;
  }

  // Stores the folds of the windows that go beyond the last element, which is in the block at `block`, whose fold is
  // `folded`.
  HWY_INLINE void StoreCut(std::int64_t block, V folded) {
    const auto& [n, width, columns, positions, size, padding] = windows_;
    LimitCheck check;
    std::int64_t p = std::max<std::int64_t>(0, n + offset_);
    for (; p < positions && p - padding < block; ++p) {
      check();
      Store(block == 0 ? folded : Body()(hn::LoadU(D(), &ends_[(p - padding - block + size) * kLanes]), folded), p);
    }
    if (p < positions && p - padding < n) FoldEnds(block, n);
    for (; p < positions && p - padding < n; ++p) {
      check();
      Store(Body()(start_, hn::LoadU(D(), &ends_[(p - padding - block) * kLanes])), p);
    }
    StoreStart(p, positions);
  }

  // Stores the folds of the elements [i, end) of the block [block, end) for each i.
  HWY_INLINE void FoldEnds(std::int64_t block, std::int64_t end) {
    if (ends_ == nullptr) ends_ = std::make_unique_for_overwrite<A[]>(std::min(windows_.size, windows_.n) * kLanes);
    A* const ends = ends_.get();
    hn::StoreU(Load(in_ + (end - 1) * windows_.width), D(), ends + (end - 1 - block) * kLanes);
    for (std::int64_t left = end - 1 - block; left > 0; left -= kElementsPerCheck) {
      CheckLimits();
      V folded = hn::LoadU(D(), ends + left * kLanes);
      for (std::int64_t i = left; i-- > std::max<std::int64_t>(0, left - kElementsPerCheck);) {
        folded = Body()(Load(in_ + (block + i) * windows_.width), folded);
        hn::StoreU(folded, D(), ends + i * kLanes);
      }
    }
  }

  const T* const in_;
  const LongWindows& windows_;
  const V start_;
  T* const out_;
  // The window at position i + offset ends with element i.
  const std::int64_t offset_ = windows_.padding - windows_.size + 1;
  std::unique_ptr<A[]> ends_;  // the folds of the ends of a block
};

template <class Body, class T>
void FoldLongWindows(const void* in, const LongWindows& windows, const void* start, void* out) {
  const T *const from = static_cast<const T*>(in), first = *static_cast<const T*>(start);
  T* const to = static_cast<T*>(out);
  using A = Folded<Body, T>;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<A>()));
  std::int64_t j = 0;
  for (; j + kLanes <= windows.columns; j += kLanes) {
    LongWindowsOfColumns<Body, T, hn::ScalableTag<A>>(from + j, windows, first, to + j).Run();
  }
  for (; j < windows.columns; ++j) {
    LongWindowsOfColumns<Body, T, hn::CappedTag<A, 1>>(from + j, windows, first, to + j).Run();
  }
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_SIMD_LONG_WINDOWS_INL
