#include "backends/cuda/kernels/index_groups.h"

#include <algorithm>

#include "interpreter/types/index_util.h"

namespace assay::cuda {

IndexGroups::IndexGroups(const Shape& shape, std::vector<std::vector<std::int64_t>> groups)
    : sizes_(shape.dimensions().begin(), shape.dimensions().end()), groups_(std::move(groups)) {
  const std::vector<std::int64_t> strides = RowMajorStrides(shape.dimensions());
  std::int64_t least = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::int64_t count = 1, stride = 0;
    for (std::size_t i = groups_[g].size(); i-- > 0;) {
      const auto d = static_cast<std::size_t>(groups_[g][i]);
      if (sizes_[d] == 1) continue;
      if (least == 0 || strides[d] < least) {
        least = strides[d];
        innermost_ = static_cast<int>(g);
      }
      if (count == 1) {
        stride = strides[d];
      } else if (strides[d] != stride * count) {
        stride = -1;
      }
      count *= sizes_[d];
    }
    counts_.push_back(count);
    strides_.push_back(stride);
  }
}

IndexText IndexGroups::At(Body& body, std::span<const std::string> places) const {
  if (sizes_.empty()) return IndexText::AtOffset("0");
  IndexText index;
  index.at.resize(sizes_.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::vector<std::int64_t> sizes;
    for (const std::int64_t d : groups_[g]) sizes.push_back(sizes_[static_cast<std::size_t>(d)]);
    const std::vector<std::string> at = body.PlacesOf(IndexText::AtOffset(places[g]), sizes);
    for (std::size_t i = 0; i < at.size(); ++i) index.at[static_cast<std::size_t>(groups_[g][i])] = at[i];
  }
  if (std::ranges::count(strides_, -1) > 0) return index;
  std::string offset = "0";
  for (std::size_t g = 0; g < groups_.size(); ++g) offset = body.Sum(offset, body.Product(places[g], strides_[g]));
  index.offset = offset;
  return index;
}

}  // namespace assay::cuda
