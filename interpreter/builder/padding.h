// Padding of arrays and of the base area of windows.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/hlo/attributes.h"

namespace assay::xla {

// The low and high padding of each dimension.
using PaddingList = std::vector<std::pair<std::int64_t, std::int64_t>>;

enum class Padding {
  kSame,   // as many window positions as the base has elements, divided by the stride and rounded up
  kValid,  // no padding: the window stays inside the base
};

// Returns the padding of each dimension of a base area. If the total is odd, the high side has one more.
PaddingList MakePadding(const Int64List& input_dimensions, const Int64List& window_dimensions,
                        const Int64List& window_strides, Padding padding);

PaddingConfig MakeEdgePaddingConfig(const PaddingList& padding);
PaddingConfig MakeNoPaddingConfig(std::int64_t rank);

}  // namespace assay::xla
