// Indices of an array whose dimensions play several parts: batch, rows, what is summed over.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backends/cuda/kernels/body.h"
#include "interpreter/types/shape.h"

namespace assay::cuda {

class IndexGroups {
 public:
  // Each dimension of the array is in one group. A place in a group is row-major in its dimensions, in their order.
  IndexGroups(const Shape& shape, std::vector<std::vector<std::int64_t>> groups);

  std::int64_t Count(std::size_t group) const { return counts_[group]; }
  // The distance in memory of neighbours in a group; 0 where there are none, -1 where it differs.
  std::int64_t Stride(std::size_t group) const { return strides_[group]; }
  // The group of the innermost dimension; -1 where there is none.
  int Innermost() const { return innermost_; }
  // The index with these places, one for each group.
  IndexText At(Body& body, std::span<const std::string> places) const;

 private:
  std::vector<std::int64_t> sizes_;
  std::vector<std::vector<std::int64_t>> groups_;
  std::vector<std::int64_t> counts_, strides_;
  int innermost_ = -1;
};

}  // namespace assay::cuda
