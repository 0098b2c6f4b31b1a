// Conversions between multidimensional and linear indices, and walks over index spaces (seed 003, indexing).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/types/shape.h"

namespace assay {

namespace IndexUtil {

// Offset, in elements, of a multidimensional index in the buffer of an array of this shape and layout. Widths are
// padded_dimensions where the layout has them. Tiles are followed level by level.
std::int64_t MultidimensionalIndexToLinearIndex(const Shape& shape, std::span<const std::int64_t> multi_index);
// The inverse. An offset that holds padding gives an index outside the dimensions.
std::vector<std::int64_t> LinearIndexToMultidimensionalIndex(const Shape& shape, std::int64_t linear_index);
// Elements of the buffer, padding included.
std::int64_t BufferElements(const Shape& shape);
// Steps to the next index in row-major order; false after the last one.
bool BumpIndices(std::span<const std::int64_t> dimensions, std::span<std::int64_t> indices);

}  // namespace IndexUtil

// Element strides of a dense row-major array.
std::vector<std::int64_t> RowMajorStrides(std::span<const std::int64_t> dimensions);
// Product of all dimensions, 1 for none.
std::int64_t Product(std::span<const std::int64_t> dimensions);

// Walks the index space of `dimensions` in row-major order while keeping `kOffsets` linear offsets, each with its own
// strides, up to date: the loop under every op that moves elements. Zero-sized spaces are not visited.
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

  // During ForEach: the current index.
  const std::vector<std::int64_t>& index() const { return index_; }

 private:
  std::vector<std::int64_t> dimensions_;
  std::vector<std::int64_t> index_;
  std::vector<std::int64_t> strides_[kOffsets];
};

}  // namespace assay
