// The inner loops of MatmulExact: one block of rows against panels of lanes, in double, and the facts about each row
// and lane that bound the error.
#pragma once

#include <cstdint>
#include <vector>

namespace assay {

// The lanes of one panel; its layout is [k][kPanelLanes].
inline constexpr std::int64_t kPanelLanes = 8;

// Facts about vectors of k numbers. `norms`: the Euclidean norm, up to rounding; NaN if squares may have underflowed.
// `grids`: the greatest power of two that divides every number; infinity for a vector of zeros. Empty unless asked for:
// they take longer than the norms.
struct VectorFacts {
  std::vector<double> norms;
  std::vector<double> grids;
};

// Computes the facts about `count` vectors of k contiguous numbers, `stride` apart.
void MeasureRows(const double* rows, std::int64_t stride, std::int64_t count, std::int64_t k, bool with_grids,
                 VectorFacts& facts);

// Returns the grid of k numbers, `stride` apart.
double GridOf(const double* numbers, std::int64_t stride, std::int64_t k);

// Collects facts about lanes while their panels are packed.
class LaneFacts {
 public:
  void Start(std::int64_t lanes, bool with_grids);
  // Adds the next k of each panel, at panels + p * panel_stride.
  void Add(const double* panels, std::int64_t panel_stride, std::int64_t k);
  void Finish(VectorFacts& facts) const;

 private:
  std::vector<double> squares_, greatest_, grids_;
  bool with_grids_ = false;
};

// Copies lanes [0, lanes) x [0, k) of numbers at first + lane * lane_stride + i * k_stride into panels. Missing lanes
// of the last panel are zero.
void PackPanels(const double* first, std::int64_t lane_stride, std::int64_t k_stride, std::int64_t lanes,
                std::int64_t k, double* panels, std::int64_t panel_stride);

// Computes sums[r * sums_stride + lane] += sum over k of rows[r * row_stride + k] * panel[k][lane], for every panel.
void AddTiles(const double* rows, std::int64_t row_stride, std::int64_t row_count, const double* panels,
              std::int64_t panel_stride, std::int64_t panel_count, std::int64_t k, double* sums,
              std::int64_t sums_stride);

}  // namespace assay
