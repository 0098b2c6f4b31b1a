#include "interpreter/acceptance/ops/common/real_functions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace assay {
namespace {

// Two values of a wave differ by no more than their arguments do.
Reals Wave(double (*function)(double), const Reals& x) {
  const double centre = x.low / 2 + x.high / 2;
  const double radius = std::max(centre - x.low, x.high - centre);  // the centre is rounded
  if (!std::isfinite(radius)) return {-1, 1, true};
  const double value = function(centre);
  const Reals image = Outward(Outward({value - radius, value + radius, x.may_be_nan}));
  return {std::max(image.low, -1.0), std::min(image.high, 1.0), image.may_be_nan};
}

}  // namespace

Reals MagnitudesOf(const Reals& x) {
  const double low = std::fabs(x.low), high = std::fabs(x.high);
  return {x.ContainsZero() ? 0 : std::min(low, high), std::max(low, high), x.may_be_nan};
}

Reals Increasing(double (*function)(double), const Reals& x) {
  return Outward(Outward({function(x.low), function(x.high), x.may_be_nan}));
}

Reals CosinesOf(const Reals& x) { return Wave(std::cos, x); }
Reals SinesOf(const Reals& x) { return Wave(std::sin, x); }

// The function is even and increases with the magnitude.
Reals HyperbolicCosinesOf(const Reals& x) {
  const Reals image = Increasing(std::cosh, MagnitudesOf(x));
  return {std::max(image.low, 1.0), image.high, image.may_be_nan};
}

// The angle grows with y where x is positive, and falls with x where y is positive.
Reals AnglesOf(const Reals& y, const Reals& x) {
  if (x.low > 0) {
    return {std::atan2(y.low, y.low >= 0 ? x.high : x.low), std::atan2(y.high, y.high >= 0 ? x.low : x.high), false};
  }
  if (y.low > 0) {
    return {std::atan2(x.high >= 0 ? y.low : y.high, x.high), std::atan2(x.low < 0 ? y.low : y.high, x.low), false};
  }
  if (y.high < 0) {
    const Reals mirrored = AnglesOf({-y.high, -y.low}, x);
    return {-mirrored.high, -mirrored.low, false};
  }
  return {-std::numbers::pi, std::numbers::pi, false};
}

}  // namespace assay
