// The place under a cell of a window.
#pragma once

#include <cstdint>

#include "interpreter/hlo/attributes.h"

namespace assay::simd {

// Returns the place under cell `cell` of the window at `position`, out of `places` along one dimension of the base; -1
// if the cell is on padding or in a hole of the dilated base.
inline std::int64_t PlaceUnder(const WindowDimension& window, std::int64_t position, std::int64_t cell,
                               std::int64_t places) {
  const std::int64_t at = position * window.stride + cell * window.window_dilation - window.padding_low;
  if (at < 0 || at % window.base_dilation != 0) return -1;
  const std::int64_t place = at / window.base_dilation;
  return place < places ? place : -1;
}

}  // namespace assay::simd
