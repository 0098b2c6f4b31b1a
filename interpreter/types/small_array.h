// Most arrays are so small that no check of their sizes can fail.
#pragma once

#include <algorithm>
#include <cstdint>

#include "interpreter/types/shape.h"

namespace assay {

// True if the sizes, the number of elements and the number of bytes need no check.
inline bool IsSmallArray(const Shape& shape) {
  constexpr std::int64_t kFewDimensions = 4, kSmall = 1 << 12;
  return shape.IsArray() && shape.rank() <= kFewDimensions &&
         std::ranges::all_of(shape.dimensions(), [](std::int64_t size) { return size >= 0 && size <= kSmall; });
}

}  // namespace assay
