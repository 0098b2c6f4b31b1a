// The total order of floating numbers: -NaN < -inf < -finite < -0 < +0 < +finite < +inf < +NaN.
#pragma once

#include <cstdint>

#include "interpreter/types/float_format.h"

namespace assay {

// An integer that ascends with the number that has these bits in the format.
inline std::int64_t TotalOrderKey(const FloatFormat& format, std::uint64_t bits) {
  const bool is_negative = (bits & format.sign_mask()) != 0;
  std::uint64_t magnitude = bits & format.magnitude_mask();
  // Where others have -0, the fnuz formats have their one NaN.
  if (is_negative && magnitude == 0 && format.is_nan(bits)) magnitude = format.sign_mask();
  return static_cast<std::int64_t>(is_negative ? ~magnitude : magnitude);
}

}  // namespace assay
