// Conversions between multidimensional and linear indices, and walks over index spaces (XLA, Shapes and Layout).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/types/shape.h"

namespace assay {

// The map between indices and buffer offsets of one shape's layout, computed once. Widths are padded_dimensions if the
// layout has them; tiles apply level by level. The shape must be valid (ShapeUtil::ValidateShape). A shape without a
// layout has the default one.
class PhysicalLayout {
 public:
  explicit PhysicalLayout(const Shape& shape);

  // Returns the number of elements of the buffer, padding included.
  std::int64_t buffer_elements() const { return buffer_elements_; }
  // Returns the offset, in elements, of a multidimensional index.
  std::int64_t Offset(std::span<const std::int64_t> multi_index) const;
  // Returns the index at an offset: the inverse of Offset. A cell of padded_dimensions has an index outside the shape's
  // dimensions. A cell that only fills up a tile or the tail has none.
  std::optional<std::vector<std::int64_t>> Index(std::int64_t offset) const;

 private:
  // One level of tiling. Dimensions here are physical, from major to minor.
  struct Level {
    std::vector<std::int64_t> widths;         // before the level
    std::size_t prepended = 0;                // size-1 dimensions added in front for a tile of higher rank
    std::vector<std::int64_t> merged_widths;  // after the dimensions that the tile combines were merged
    std::vector<bool> combined;               // per dimension of the tile
    std::vector<std::int64_t> tile;           // without the combined ones
  };
  void AddLevel(const Tile& tile);

  std::vector<std::int64_t> minor_to_major_;
  std::vector<Level> levels_;
  std::vector<std::int64_t> widths_;  // after every level
  std::int64_t buffer_elements_ = 0;
};

namespace IndexUtil {

// Conversions of a single index by PhysicalLayout, with the names of XLA's IndexUtil.
std::int64_t MultidimensionalIndexToLinearIndex(const Shape& shape, std::span<const std::int64_t> multi_index);
// Returns the index at an offset; for a padding cell, an index outside the dimensions.
std::vector<std::int64_t> LinearIndexToMultidimensionalIndex(const Shape& shape, std::int64_t linear_index);
// Steps to the next index in row-major order. Returns false after the last one.
bool BumpIndices(std::span<const std::int64_t> dimensions, std::span<std::int64_t> indices);

}  // namespace IndexUtil

// Returns the element strides of a dense row-major array.
std::vector<std::int64_t> RowMajorStrides(std::span<const std::int64_t> dimensions);
// Returns the product of all dimensions; 1 for none.
std::int64_t Product(std::span<const std::int64_t> dimensions);

// A walk of the index space of `dimensions` in row-major order that updates `kOffsets` linear offsets, each with its
// own strides: the loop of every op that moves elements. A space of size zero has no visits.
template <int kOffsets>
class StridedWalk {
 public:
  StridedWalk(std::span<const std::int64_t> dimensions, const std::vector<std::int64_t> (&strides)[kOffsets])
      : dimensions_(dimensions.begin(), dimensions.end()), index_(dimensions.size(), 0) {
    for (int i = 0; i < kOffsets; ++i) strides_[i] = strides[i];
  }

  // Calls visit(offsets) for each index, offsets[i] = start[i] + dot(index, strides[i]).
  template <class Visit>
  void ForEach(const std::int64_t (&start)[kOffsets], Visit visit) {
    if (Product(dimensions_) == 0) return;
    std::int64_t offsets[kOffsets];
    for (int i = 0; i < kOffsets; ++i) offsets[i] = start[i];
    const int rank = static_cast<int>(dimensions_.size());
    while (true) {
      visit(offsets);
      int d = rank - 1;
      for (; d >= 0; --d) {
        if (++index_[d] < dimensions_[d]) {
          for (int i = 0; i < kOffsets; ++i) offsets[i] += strides_[i][d];
          break;
        }
        index_[d] = 0;
        for (int i = 0; i < kOffsets; ++i) offsets[i] -= strides_[i][d] * (dimensions_[d] - 1);
      }
      if (d < 0) return;
    }
  }

  // Returns the current index during ForEach.
  const std::vector<std::int64_t>& index() const { return index_; }

 private:
  std::vector<std::int64_t> dimensions_;
  std::vector<std::int64_t> index_;
  std::vector<std::int64_t> strides_[kOffsets];
};

}  // namespace assay
