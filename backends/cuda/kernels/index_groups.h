// Indices of an array whose dimensions have several roles: batch, rows, summed dimensions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backends/cuda/kernels/body.h"
#include "interpreter/types/shape.h"

namespace assay::cuda {

class IndexGroups {
 public:
  // Each dimension of the array must be in one group. A place in a group is row-major in the group's dimensions, in
  // their order.
  IndexGroups(const Shape& shape, std::vector<std::vector<std::int64_t>> groups);

  std::int64_t Count(std::size_t group) const { return counts_[group]; }
  // Returns the distance in memory of neighbors in a group; 0 if there are none, -1 if the distance varies.
  std::int64_t Stride(std::size_t group) const { return strides_[group]; }
  // Returns the group of the innermost dimension; -1 if there is none.
  int Innermost() const { return innermost_; }
  // Returns the index with these places, one for each group.
  IndexText At(Body& body, std::span<const std::string> places) const;

 private:
  std::vector<std::int64_t> sizes_;
  std::vector<std::vector<std::int64_t>> groups_;
  std::vector<std::int64_t> counts_, strides_;
  int innermost_ = -1;
};

}  // namespace assay::cuda
