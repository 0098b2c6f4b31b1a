// The scheme of Goto and van de Geijn ("Anatomy of high-performance matrix multiplication", 2008): panels of both
// matrices are copied, so that the innermost loop reads them in order and keeps its tile of the result in registers.
#include "backends/simd/gemm.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/gemm.cc"
#include "backends/simd/targets.h"
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/highway.h>

#ifndef ASSAY_SIMD_GEMM_ONCE
#define ASSAY_SIMD_GEMM_ONCE
namespace assay::simd {

// Functions on a panel of `rows` rows and one of `columns` columns. `multiply` computes out = (is_first ? start : out)
// + the product, for rows of `rhs` and `out` that begin so many elements apart.
template <class T>
struct Tile {
  std::int64_t rows;
  std::int64_t columns;
  void (*multiply)(const T* lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t k, bool is_first, T start, T* out,
                   std::int64_t stride);
  // Returns start + the sum of lhs[l] * rhs[l].
  T (*dot)(const T* lhs, const T* rhs, std::int64_t k, T start);
  // Adds the product of a row of k elements and k rows of n columns to out, in the order of `multiply`.
  void (*add_row)(const T* lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t k, std::int64_t n, T* out);
};

}  // namespace assay::simd
#endif

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
  return {kRows, 2 * static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>())), MultiplyTile<T, Terms>, Dot<T, Terms>,
          AddRow<T, Terms>};
}
Tile<float> TileOfF32() { return TileOf<float>(); }
Tile<double> TileOfF64() { return TileOf<double>(); }
Tile<std::int32_t> TileOfS32() { return TileOf<std::int32_t>(); }
Tile<std::int32_t> TileOfPairs() { return TileOf<std::int32_t, PairedTerms>(); }

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {
namespace {

HWY_EXPORT(TileOfF32);
HWY_EXPORT(TileOfF64);
HWY_EXPORT(TileOfS32);
HWY_EXPORT(TileOfPairs);

template <class T>
Tile<T> BestTile() {
  if constexpr (sizeof(T) == 8)
    return HWY_DYNAMIC_DISPATCH(TileOfF64)();
  else if constexpr (hwy::IsFloat<T>())
    return HWY_DYNAMIC_DISPATCH(TileOfF32)();
  else
    return HWY_DYNAMIC_DISPATCH(TileOfS32)();
}

// A panel of each matrix fits into the first-level cache, and a block of the left one into the second-level cache.
constexpr std::int64_t kDepth = 256;
constexpr std::int64_t kRowPanels = 8;
constexpr std::int64_t kColumnPanels = 16;
constexpr std::int64_t kElementsPerPiece = 1 << 15;
// Few rows use a block of the right matrix one after the other, while it is in the second-level cache.
constexpr std::int64_t kFewRows = 4;
constexpr std::int64_t kColumnsOfFewRows = 256, kDepthOfFewRows = 256;

std::int64_t RoundedUp(std::int64_t n, std::int64_t step) { return (n + step - 1) / step * step; }

// Copies the columns of a panel in one row. The widths of the tiles are constants, for which a copy is a few
// instructions. Behind the last column are zeros.
template <class T>
void CopyColumns(const T* from, std::int64_t count, std::int64_t width, T* to) {
  if (count < width) {
    std::fill(std::copy_n(from, count, to), to + width, T{0});
    return;
  }
  switch (width * sizeof(T)) {
    case 128:
      std::memcpy(to, from, 128);
      return;
    case 64:
      std::memcpy(to, from, 64);
      return;
    default:
      std::copy_n(from, width, to);
  }
}

template <class T>
class Product {
 public:
  Product(const Tile<T>& tile, const Rows<T>& lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t m,
          std::int64_t n, std::int64_t k, T start, T* out, std::int64_t out_stride)
      : tile_(tile),
        lhs_(lhs),
        rhs_(rhs),
        rhs_stride_(rhs_stride),
        m_(m),
        n_(n),
        k_(k),
        start_(start),
        out_(out),
        out_stride_(out_stride) {
    // Copies the right matrix into panels of as many columns as a tile has, which are read for each block of rows. If
    // there is only one, the matrix itself is read, except for the last columns: their panel is padded with zeros.
    const std::int64_t width = tile_.columns, panels = (n + width - 1) / width;
    first_copied_ = m <= tile_.rows * kRowPanels ? n / width : 0;
    copies_ = std::make_unique_for_overwrite<T[]>((panels - first_copied_) * width * k);
    ParallelFor(panels - first_copied_, kColumnPanels, [&](std::int64_t begin, std::int64_t end) {
      T* to = copies_.get() + begin * width * k;
      for (std::int64_t panel = first_copied_ + begin; panel < first_copied_ + end; ++panel) {
        const T* const from = rhs + panel * width;
        const std::int64_t count = std::min(width, n - panel * width);
        for (std::int64_t l = 0; l < k; ++l, to += width) CopyColumns(from + l * rhs_stride, count, width, to);
      }
    });
  }

  void Run() const {
    const std::int64_t height = tile_.rows * kRowPanels, width = tile_.columns * PanelsOfABlock();
    const std::int64_t across = (n_ + width - 1) / width;
    ParallelFor((m_ + height - 1) / height * across, 1, [&](std::int64_t begin, std::int64_t end) {
      const auto block = std::make_unique_for_overwrite<T[]>(height * std::min(k_, kDepth));
      for (std::int64_t i = begin; i < end; ++i)
        MultiplyBlock(i / across * height, i % across * width, width, block.get());
    });
  }

 private:
  // Returns the panels of the right matrix that a block of the result needs. A small result is split into one block for
  // each thread if that is enough work for each. The order of the sums remains.
  std::int64_t PanelsOfABlock() const {
    constexpr std::int64_t kTermsPerPiece = 1 << 20;
    const std::int64_t blocks = (m_ + tile_.rows * kRowPanels - 1) / (tile_.rows * kRowPanels);
    const std::int64_t panels = (n_ + tile_.columns - 1) / tile_.columns;
    const std::int64_t most = std::max<std::int64_t>(1, m_ * n_ * k_ / kTermsPerPiece);
    const std::int64_t pieces = std::min<std::int64_t>((ParallelThreads() + blocks - 1) / blocks, most);
    return std::min(kColumnPanels, (panels + pieces - 1) / pieces);
  }

  void MultiplyBlock(std::int64_t row, std::int64_t column, std::int64_t width, T* block) const {
    const std::int64_t rows = std::min(m_ - row, tile_.rows * kRowPanels);
    const std::int64_t columns = std::min(n_ - column, width);
    // Runs once even without terms, to write the start values.
    for (std::int64_t l = 0; l == 0 || l < k_; l += kDepth) {
      CheckLimits();
      const std::int64_t depth = std::min(k_ - l, kDepth);
      for (std::int64_t i = 0; i < RoundedUp(rows, tile_.rows); ++i) {
        T* const to = block + i / tile_.rows * tile_.rows * depth + i % tile_.rows;
        if (i < rows) {
          lhs_.Copy(row + i, l, l + depth, to, tile_.rows);
        } else {
          for (std::int64_t j = 0; j < depth; ++j) to[j * tile_.rows] = T{0};
        }
      }
      for (std::int64_t j = 0; j < columns; j += tile_.columns) {
        const Panel right = PanelFrom(column + j, l);
        for (std::int64_t i = 0; i < rows; i += tile_.rows) {
          MultiplyTile(block + i * depth, right, depth, l == 0, std::min(tile_.rows, rows - i),
                       std::min(tile_.columns, columns - j), out_ + (row + i) * out_stride_ + column + j);
        }
      }
    }
  }

  // Columns of the right matrix, and the distance of their rows.
  struct Panel {
    const T* elements;
    std::int64_t stride;
  };

  Panel PanelFrom(std::int64_t column, std::int64_t row) const {
    const std::int64_t width = tile_.columns, copied = column / width - first_copied_;
    if (copied < 0) return {rhs_ + row * rhs_stride_ + column, rhs_stride_};
    return {copies_.get() + (copied * k_ + row) * width, width};
  }

  void MultiplyTile(const T* left, Panel right, std::int64_t depth, bool is_first, std::int64_t rows,
                    std::int64_t columns, T* out) const {
    if (rows == tile_.rows && columns == tile_.columns) {
      return tile_.multiply(left, right.elements, right.stride, depth, is_first, start_, out, out_stride_);
    }
    // A tile at the edge extends beyond the result.
    T whole[kMostTileElements] = {};
    for (std::int64_t i = 0; i < rows && !is_first; ++i) {
      std::copy_n(out + i * out_stride_, columns, whole + i * tile_.columns);
    }
    tile_.multiply(left, right.elements, right.stride, depth, is_first, start_, whole, tile_.columns);
    for (std::int64_t i = 0; i < rows; ++i) std::copy_n(whole + i * tile_.columns, columns, out + i * out_stride_);
  }

  static constexpr std::int64_t kMostTileElements = 12 * 2 * 64 / sizeof(T);

  const Tile<T> tile_;
  const Rows<T>& lhs_;
  const T* const rhs_;
  const std::int64_t rhs_stride_;
  const std::int64_t m_, n_, k_;
  const T start_;
  T* const out_;
  const std::int64_t out_stride_;
  std::int64_t first_copied_ = 0;
  std::unique_ptr<T[]> copies_;  // the panels from this one on
};

// Multiplies with a single column, which would leave most of a tile empty.
template <class T>
void MultiplyVector(const Tile<T>& tile, const Rows<T>& lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t m,
                    std::int64_t k, T start, T* out, std::int64_t out_stride) {
  std::vector<T> column(k);
  for (std::int64_t l = 0; l < k; ++l) column[l] = rhs[l * rhs_stride];
  ParallelFor(m, std::max<std::int64_t>(1, kElementsPerPiece / std::max<std::int64_t>(1, k)),
              [&](std::int64_t begin, std::int64_t end) {
                std::vector<T> row(k);
                for (std::int64_t i = begin; i < end; ++i) {
                  lhs.Copy(i, 0, k, row.data(), 1);
                  out[i * out_stride] = tile.dot(row.data(), column.data(), k, start);
                }
              });
}

// Multiplies few rows. Panels of the right matrix would be copied for few uses.
template <class T>
void MultiplyFewRows(const Tile<T>& tile, const Rows<T>& lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t m,
                     std::int64_t n, std::int64_t k, T start, T* out, std::int64_t out_stride) {
  std::vector<T> rows(m * k);
  for (std::int64_t i = 0; i < m; ++i) lhs.Copy(i, 0, k, rows.data() + i * k, 1);
  ParallelFor((n + kColumnsOfFewRows - 1) / kColumnsOfFewRows, GrainOfRows(kColumnsOfFewRows * k, kElementsPerPiece),
              [&](std::int64_t begin, std::int64_t end) {
                const std::int64_t first = begin * kColumnsOfFewRows,
                                   columns = std::min(n, end * kColumnsOfFewRows) - first;
                for (std::int64_t i = 0; i < m; ++i) std::fill_n(out + i * out_stride + first, columns, start);
                for (std::int64_t l = 0; l < k; l += kDepthOfFewRows) {
                  CheckLimits();
                  const std::int64_t depth = std::min(k - l, kDepthOfFewRows);
                  for (std::int64_t i = 0; i < m; ++i) {
                    tile.add_row(rows.data() + i * k + l, rhs + l * rhs_stride + first, rhs_stride, depth, columns,
                                 out + i * out_stride + first);
                  }
                }
              });
}

template <class T>
void MultiplyWith(const Tile<T>& tile, const Rows<T>& lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t m,
                  std::int64_t n, std::int64_t k, T start, T* out, std::int64_t out_stride) {
  if (n == 1) return MultiplyVector(tile, lhs, rhs, rhs_stride, m, k, start, out, out_stride);
  if (m <= kFewRows) return MultiplyFewRows(tile, lhs, rhs, rhs_stride, m, n, k, start, out, out_stride);
  Product<T>(tile, lhs, rhs, rhs_stride, m, n, k, start, out, out_stride).Run();
}

}  // namespace

template <class T>
void Multiply(const Rows<T>& lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t m, std::int64_t n, std::int64_t k,
              T start, T* out, std::int64_t out_stride) {
  MultiplyWith(BestTile<T>(), lhs, rhs, rhs_stride, m, n, k, start, out, out_stride);
}

void MultiplyPairs(const Rows<std::int32_t>& lhs, const std::int32_t* rhs, std::int64_t m, std::int64_t n,
                   std::int64_t k, std::int32_t* out) {
  MultiplyWith(HWY_DYNAMIC_DISPATCH(TileOfPairs)(), lhs, rhs, n, m, n, k, 0, out, n);
}

template void Multiply(const Rows<float>&, const float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, float,
                       float*, std::int64_t);
template void Multiply(const Rows<double>&, const double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                       double, double*, std::int64_t);
template void Multiply(const Rows<std::int32_t>&, const std::int32_t*, std::int64_t, std::int64_t, std::int64_t,
                       std::int64_t, std::int32_t, std::int32_t*, std::int64_t);

}  // namespace assay::simd
#endif  // HWY_ONCE
