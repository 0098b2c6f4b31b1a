// Numbers that many tests use.
#pragma once

#include <limits>

namespace assay::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kPi = 0x1.921fb54442d18p+1;

}  // namespace assay::testing
