// The total order of floating numbers: -NaN < -inf < -finite < -0 < +0 < +finite < +inf < +NaN.
#pragma once

#include <cstdint>

#include "interpreter/types/float_format.h"

namespace assay {

// Returns an integer that increases with the number that these bits represent in the format.
inline std::int64_t TotalOrderKey(const FloatFormat& format, std::uint64_t bits) {
  const bool is_negative = (bits & format.sign_mask()) != 0;
  std::uint64_t magnitude = bits & format.magnitude_mask();
  // The fnuz formats have their only NaN at the bits of -0.
  if (is_negative && magnitude == 0 && format.is_nan(bits)) magnitude = format.sign_mask();
  return static_cast<std::int64_t>(is_negative ? ~magnitude : magnitude);
}

}  // namespace assay
