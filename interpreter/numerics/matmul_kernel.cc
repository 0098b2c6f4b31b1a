#include "interpreter/numerics/matmul_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Panel = double __attribute__((vector_size(kPanelLanes * sizeof(double))));

// Squares of numbers below this may underflow enough to affect the norm.
constexpr double kLeastMaximum = 0x1p-480;

// Adds one number to the sum of squares and the greatest magnitude.
ASSAY_INLINE void Measure(double value, double& squares, double& greatest) {
  const double magnitude = std::fabs(value);
  squares += value * value;
  greatest = magnitude > greatest ? magnitude : greatest;
}

// Adds one number to the grid. The lowest set bit is the difference to the number with that bit cleared; a power of two
// is its own lowest bit.
ASSAY_INLINE void MeasureGrid(double value, double& grid) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) & 0x7FFFFFFFFFFFFFFF;
  const double magnitude = std::bit_cast<double>(bits);
  const double cleared = std::bit_cast<double>(bits & (bits - 1));
  const double lowest = (bits & 0xFFFFFFFFFFFFF) == 0 ? magnitude : magnitude - cleared;
  grid = ((lowest < grid) & (magnitude != 0)) ? lowest : grid;
}

double Norm(double squares, double greatest) {
  return greatest == 0 || greatest >= kLeastMaximum || std::isnan(squares) ? std::sqrt(squares) : std::nan("");
}

ASSAY_VECTOR_CLONES void MeasurePanel(const double* panel, std::int64_t k, double* squares, double* greatest) {
  // Four steps side by side: each addition waits for the one before.
  constexpr std::int64_t kWidth = 4 * kPanelLanes;
  double square[kWidth] = {}, great[kWidth] = {};
  std::int64_t i = 0;
  for (; i + 4 <= k; i += 4) {
    for (std::int64_t j = 0; j < kWidth; ++j) Measure(panel[i * kPanelLanes + j], square[j], great[j]);
  }
  for (; i < k; ++i) {
    for (std::int64_t j = 0; j < kPanelLanes; ++j) Measure(panel[i * kPanelLanes + j], square[j], great[j]);
  }
  for (std::int64_t j = 0; j < kWidth; ++j) {
    squares[j % kPanelLanes] += square[j];
    greatest[j % kPanelLanes] = std::max(greatest[j % kPanelLanes], great[j]);
  }
}

ASSAY_VECTOR_CLONES void MeasureGrids(const double* panel, std::int64_t k, double* grids) {
  double grid[kPanelLanes];
  std::memcpy(grid, grids, sizeof(grid));
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t lane = 0; lane < kPanelLanes; ++lane) MeasureGrid(panel[i * kPanelLanes + lane], grid[lane]);
  }
  std::memcpy(grids, grid, sizeof(grid));
}

// Keeps a tile of kRows x kPanelLanes sums in registers. Without contraction, each step rounds the product and the sum.
template <int kRows>
ASSAY_INLINE void AddTile(const double* rows, std::int64_t row_stride, const double* panel, std::int64_t k,
                          double* sums, std::int64_t sums_stride) {
  Panel tile[kRows];
  for (int r = 0; r < kRows; ++r) tile[r] = -Panel{};  // the neutral element of addition is -0
  for (std::int64_t i = 0; i < k; ++i) {
    Panel lanes;
    std::memcpy(&lanes, panel + i * kPanelLanes, sizeof(lanes));
    for (int r = 0; r < kRows; ++r) tile[r] += rows[r * row_stride + i] * lanes;
  }
  for (int r = 0; r < kRows; ++r) {
    Panel sum;
    std::memcpy(&sum, sums + r * sums_stride, sizeof(sum));
    sum += tile[r];
    std::memcpy(sums + r * sums_stride, &sum, sizeof(sum));
  }
}

}  // namespace

void MeasureRows(const double* rows, std::int64_t stride, std::int64_t count, std::int64_t k, bool with_grids,
                 VectorFacts& facts) {
  facts.norms.resize(count);
  facts.grids.resize(with_grids ? count : 0);
  for (std::int64_t r = 0; r < count; ++r) {
    const double* row = rows + r * stride;
    double squares[kPanelLanes] = {}, greatest[kPanelLanes] = {};
    // A row read eight numbers at a time has the layout of a panel.
    const std::int64_t steps = k / kPanelLanes;
    MeasurePanel(row, steps, squares, greatest);
    for (std::int64_t i = steps * kPanelLanes; i < k; ++i) Measure(row[i], squares[0], greatest[0]);
    double all_squares = 0;
    for (const double square : squares) all_squares += square;
    facts.norms[r] = Norm(all_squares, *std::max_element(greatest, greatest + kPanelLanes));
    if (with_grids) facts.grids[r] = GridOf(row, 1, k);
  }
}

double GridOf(const double* numbers, std::int64_t stride, std::int64_t k) {
  double grids[kPanelLanes];
  std::fill_n(grids, kPanelLanes, kInfinity);
  const std::int64_t steps = stride == 1 ? k / kPanelLanes : 0;
  MeasureGrids(numbers, steps, grids);
  for (std::int64_t i = steps * kPanelLanes; i < k; ++i) MeasureGrid(numbers[i * stride], grids[0]);
  return *std::min_element(grids, grids + kPanelLanes);
}

void LaneFacts::Start(std::int64_t lanes, bool with_grids) {
  const std::int64_t padded = (lanes + kPanelLanes - 1) / kPanelLanes * kPanelLanes;
  squares_.assign(padded, 0.0);
  greatest_.assign(padded, 0.0);
  grids_.assign(with_grids ? padded : 0, kInfinity);
  with_grids_ = with_grids;
}

void LaneFacts::Add(const double* panels, std::int64_t panel_stride, std::int64_t k) {
  const auto panel_count = static_cast<std::int64_t>(squares_.size()) / kPanelLanes;
  for (std::int64_t p = 0; p < panel_count; ++p) {
    const std::int64_t lane = p * kPanelLanes;
    MeasurePanel(panels + p * panel_stride, k, &squares_[lane], &greatest_[lane]);
    if (with_grids_) MeasureGrids(panels + p * panel_stride, k, &grids_[lane]);
  }
}

void LaneFacts::Finish(VectorFacts& facts) const {
  facts.norms.resize(squares_.size());
  for (std::size_t i = 0; i < squares_.size(); ++i) facts.norms[i] = Norm(squares_[i], greatest_[i]);
  facts.grids = grids_;
}

void PackPanels(const double* first, std::int64_t lane_stride, std::int64_t k_stride, std::int64_t lanes,
                std::int64_t k, double* panels, std::int64_t panel_stride) {
  for (std::int64_t begin = 0; begin < lanes; begin += kPanelLanes, panels += panel_stride) {
    const std::int64_t count = std::min(kPanelLanes, lanes - begin);
    const double* source = first + begin * lane_stride;
    if (count == kPanelLanes && lane_stride == 1) {
      for (std::int64_t i = 0; i < k; ++i) {
        std::memcpy(panels + i * kPanelLanes, source + i * k_stride, kPanelLanes * sizeof(double));
      }
      continue;
    }
    if (count < kPanelLanes) std::fill_n(panels, k * kPanelLanes, 0.0);
    for (std::int64_t lane = 0; lane < count; ++lane) {
      for (std::int64_t i = 0; i < k; ++i) panels[i * kPanelLanes + lane] = source[lane * lane_stride + i * k_stride];
    }
  }
}

ASSAY_VECTOR_CLONES void AddTiles(const double* rows, std::int64_t row_stride, std::int64_t row_count,
                                  const double* panels, std::int64_t panel_stride, std::int64_t panel_count,
                                  std::int64_t k, double* sums, std::int64_t sums_stride) {
  for (std::int64_t p = 0; p < panel_count; ++p) {
    const double* panel = panels + p * panel_stride;
    double* lane_sums = sums + p * kPanelLanes;
    std::int64_t r = 0;
    for (; r + 4 <= row_count; r += 4) {
      AddTile<4>(rows + r * row_stride, row_stride, panel, k, lane_sums + r * sums_stride, sums_stride);
    }
    for (; r < row_count; ++r) {
      AddTile<1>(rows + r * row_stride, row_stride, panel, k, lane_sums + r * sums_stride, sums_stride);
    }
  }
}

}  // namespace assay
