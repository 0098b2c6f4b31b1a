#include "interpreter/builder/padding.h"

#include <algorithm>

namespace assay::xla {

PaddingList MakePadding(const Int64List& input_dimensions, const Int64List& window_dimensions,
                        const Int64List& window_strides, Padding padding) {
  PaddingList list(input_dimensions.size());
  if (padding == Padding::kValid) return list;
  for (std::size_t d = 0; d < std::min(window_dimensions.size(), list.size()); ++d) {
    // The operation itself reports illegal strides.
    const std::int64_t stride = d < window_strides.size() ? std::max<std::int64_t>(window_strides[d], 1) : 1;
    const std::int64_t positions = input_dimensions[d] / stride + (input_dimensions[d] % stride == 0 ? 0 : 1);
    // The elements of the base from the last window position on.
    const std::int64_t last = input_dimensions[d] - (positions - 1) * stride;
    const std::int64_t total = std::max<std::int64_t>(window_dimensions[d] - last, 0);
    list[d] = {total / 2, total - total / 2};
  }
  return list;
}

PaddingConfig MakeEdgePaddingConfig(const PaddingList& padding) {
  PaddingConfig config;
  for (const auto& [low, high] : padding) config.push_back({low, high, 0});
  return config;
}

PaddingConfig MakeNoPaddingConfig(std::int64_t rank) { return PaddingConfig(rank); }

}  // namespace assay::xla
