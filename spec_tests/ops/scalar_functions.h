// The functions of two scalars that computations of tests denote.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace assay::testing {

inline float AddFloats(float a, float b) { return a + b; }
inline std::int32_t AddIntegers(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
// Returns NaN if either is NaN; 0 is greater than -0.
inline float MaximumOfFloats(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<float>::quiet_NaN();
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

}  // namespace assay::testing
