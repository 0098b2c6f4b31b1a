// Numbers that many tests use.
#pragma once

#include <cmath>
#include <limits>

namespace assay::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kPi = 0x1.921fb54442d18p+1;

// True for equal numbers with equal signs, and for two NaN.
inline bool SameNumber(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace assay::testing
