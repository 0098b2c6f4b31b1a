// Copies elements between two arrays along any strides, for every op that moves elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay {

// A plan to copy to[dot(index, to_strides)] = from[dot(index, from_strides)] for every index of `dimensions`, for
// elements of a given size. Strides count elements and may be negative; from_strides may be zero (a repeated element).
// The arrays must not overlap, and no element may be written twice. A plan serves any number of copies, from several
// threads.
class StridedCopy {
 public:
  StridedCopy(int element_bytes, std::span<const std::int64_t> dimensions, std::span<const std::int64_t> from_strides,
              std::span<const std::int64_t> to_strides);

  std::int64_t element_count() const { return row_count_ * column_.size; }
  // True if the elements are neighbors in both arrays.
  bool IsContiguous() const { return row_count_ == 1 && column_.from == 1 && column_.to == 1; }
  // Copies on the calling thread.
  void Copy(const std::byte* from, std::byte* to) const;
  // Copies on every thread of the pool if there is enough to copy.
  void ParallelCopy(const std::byte* from, std::byte* to) const;

 private:
  struct Dimension {
    std::int64_t size = 1;
    std::int64_t from = 0;
    std::int64_t to = 0;
  };

  void CopyRows(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;
  template <class Element>
  void CopyRowsOf(const Element* from, Element* to, std::int64_t begin, std::int64_t end) const;
  template <class Element>
  void CopyPlane(const Element* from, Element* to, std::int64_t rows) const;

  int element_bytes_;
  // The index space, outermost first, merged into as few dimensions as possible: outer ones, then a plane of rows and
  // columns.
  std::vector<Dimension> outer_;
  Dimension row_;
  Dimension column_;
  std::int64_t row_count_ = 1;  // rows of all planes
};

// Returns an array of this shape with result[index] = operand at from_offset + dot(index, from_strides).
Literal StridedRead(const Shape& shape, const Literal& operand, std::int64_t from_offset,
                    std::span<const std::int64_t> from_strides);

// Returns an array with the elements along one dimension, or along several, in the opposite order.
Literal Reversed(const Literal& array, std::int64_t dimension);
Literal Reversed(const Literal& array, std::span<const std::int64_t> dimensions);
// Returns a value with all elements of each array in the opposite order.
Literal FullyReversed(const Literal& value);

// Returns an array with every element equal to the scalar.
Literal Filled(const Shape& shape, const Literal& scalar);

}  // namespace assay
