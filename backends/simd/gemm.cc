// The scheme of Goto and van de Geijn ("Anatomy of high-performance matrix multiplication", 2008): panels of both
// matrices are copied, so that the innermost loop reads them in order and keeps its tile of the result in registers.
#include "backends/simd/gemm.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "backends/simd/tiles.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay::simd {
namespace {

// A panel of each matrix fits into the first-level cache, and a block of the left one into the second-level cache.
constexpr std::int64_t kDepth = 256;
constexpr std::int64_t kRowPanels = 8;
constexpr std::int64_t kColumnPanels = 16;
// With more panels of rows, a copy of the right matrix takes less time than reading rows that are far apart.
constexpr std::int64_t kRowPanelsWithoutCopy = 64;
constexpr std::int64_t kElementsPerPiece = 1 << 15;
// Few rows use a block of the right matrix one after the other, while it is in the second-level cache.
constexpr std::int64_t kFewRows = 4;
constexpr std::int64_t kColumnsOfFewRows = 256, kDepthOfFewRows = 256;

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
    // For many rows, copies the right matrix into panels of as many columns as a tile has. For fewer, the matrix itself
    // is read, except for the last columns: their panel is padded with zeros.
    const std::int64_t width = tile_.columns, panels = (n + width - 1) / width;
    first_copied_ = m <= tile_.rows * kRowPanelsWithoutCopy ? n / width : 0;
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
    const std::int64_t blocks = BlocksOfRows(), width = tile_.columns * PanelsOfABlock(blocks);
    const std::int64_t across = (n_ + width - 1) / width, depth = std::min(k_, kDepth);
    ParallelFor(blocks * across, 1, [&](std::int64_t begin, std::int64_t end) {
      const auto block = std::make_unique_for_overwrite<T[]>(tile_.rows * kRowPanels * depth);
      std::vector<T> panel(tile_.rows * depth);
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = FirstRow(i / across, blocks), last = FirstRow(i / across + 1, blocks);
        MultiplyBlock(first, last - first, i % across * width, width, panel.data(), block.get());
      }
    });
  }

 private:
  // Returns the number of panels of rows, and of pieces of work that are worth a thread.
  std::int64_t Panels() const { return (m_ + tile_.rows - 1) / tile_.rows; }
  std::int64_t Pieces() const {
    constexpr std::int64_t kTermsPerPiece = 1 << 20;
    return std::max<std::int64_t>(1, m_ * n_ * k_ / kTermsPerPiece);
  }

  // Returns the number of blocks of rows. Several are as many for each thread.
  std::int64_t BlocksOfRows() const {
    const std::int64_t threads = ParallelThreads(), blocks = (Panels() + kRowPanels - 1) / kRowPanels;
    if (blocks <= 1) return blocks;
    return std::clamp((blocks + threads - 1) / threads * threads, blocks,
                      std::max(blocks, std::min(Panels(), Pieces())));
  }

  // Returns the first row of a block. The panels of two blocks differ by one at most.
  std::int64_t FirstRow(std::int64_t block, std::int64_t blocks) const {
    return std::min(m_, block * Panels() / blocks * tile_.rows);
  }

  // Returns the panels of the right matrix that a block of the result needs. A small result is split into one block for
  // each thread if that is enough work for each. The order of the sums remains.
  std::int64_t PanelsOfABlock(std::int64_t blocks) const {
    const std::int64_t panels = (n_ + tile_.columns - 1) / tile_.columns;
    const std::int64_t pieces = std::min<std::int64_t>((ParallelThreads() + blocks - 1) / blocks, Pieces());
    return std::min(kColumnPanels, (panels + pieces - 1) / pieces);
  }

  // `panel` is memory for the rows of a panel of the left matrix, and `block` for its panels.
  void MultiplyBlock(std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t width, T* panel,
                     T* block) const {
    const std::int64_t columns = std::min(n_ - column, width);
    // Runs once even without terms, to write the start values.
    for (std::int64_t l = 0; l == 0 || l < k_; l += kDepth) {
      CheckLimits();
      const std::int64_t depth = std::min(k_ - l, kDepth);
      for (std::int64_t i = 0; i < rows; i += tile_.rows) {
        for (std::int64_t j = 0; j < std::min(tile_.rows, rows - i); ++j) {
          lhs_.Copy(row + i + j, l, l + depth, panel + j * depth);
        }
        tile_.interleave(panel, depth, block + i * depth);
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
                  lhs.Copy(i, 0, k, row.data());
                  out[i * out_stride] = tile.dot(row.data(), column.data(), k, start);
                }
              });
}

// Multiplies few rows. Panels of the right matrix would be copied for few uses.
template <class T>
void MultiplyFewRows(const Tile<T>& tile, const Rows<T>& lhs, const T* rhs, std::int64_t rhs_stride, std::int64_t m,
                     std::int64_t n, std::int64_t k, T start, T* out, std::int64_t out_stride) {
  std::vector<T> rows(m * k);
  for (std::int64_t i = 0; i < m; ++i) lhs.Copy(i, 0, k, rows.data() + i * k);
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
                   std::int64_t k, std::int32_t* out, std::int64_t out_stride) {
  MultiplyWith(BestTileOfPairs(), lhs, rhs, n, m, n, k, 0, out, out_stride);
}

void MultiplyFours(const Rows<std::int32_t>& lhs, const std::int32_t* rhs, std::int64_t m, std::int64_t n,
                   std::int64_t k, std::int32_t* out, std::int64_t out_stride) {
  MultiplyWith(BestTileOfFours(), lhs, rhs, n, m, n, k, 0, out, out_stride);
}

template void Multiply(const Rows<float>&, const float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, float,
                       float*, std::int64_t);
template void Multiply(const Rows<double>&, const double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                       double, double*, std::int64_t);
template void Multiply(const Rows<std::int32_t>&, const std::int32_t*, std::int64_t, std::int64_t, std::int64_t,
                       std::int64_t, std::int32_t, std::int32_t*, std::int64_t);

}  // namespace assay::simd
