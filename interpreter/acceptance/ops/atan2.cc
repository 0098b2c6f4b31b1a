#include <cmath>
#include <numbers>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// The angle grows with y where x is positive, and falls with x where y is positive. Sets do not know the sign of a
// zero, which decides elsewhere.
Reals AngleOf(const Reals& y, const Reals& x) {
  if (x.low > 0) {
    return {std::atan2(y.low, y.low >= 0 ? x.high : x.low), std::atan2(y.high, y.high >= 0 ? x.low : x.high)};
  }
  if (y.low > 0) {
    return {std::atan2(x.high >= 0 ? y.low : y.high, x.high), std::atan2(x.low < 0 ? y.low : y.high, x.low)};
  }
  if (y.high < 0) {
    const Reals mirrored = AngleOf({-y.high, -y.low}, x);
    return {-mirrored.high, -mirrored.low};
  }
  return {-std::numbers::pi, std::numbers::pi};
}

Reals Angle(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType type = instruction.shape.element_type();
  if (!IsFloatingPointType(type)) return AnyOf(type);
  if (x[0].IsEmpty() || x[1].IsEmpty()) return Reals::Nan();
  Reals angle = Outward(Outward(AngleOf(x[0], x[1])));
  angle.may_be_nan = x[0].may_be_nan || x[1].may_be_nan;
  return angle;
}

}  // namespace

const OpAcceptance acceptance_atan2 = {
    .op = &op_atan2, .rule = Acceptance::kUlp, .image = ByElement<Angle>, .traits = Trait::kJumps};

}  // namespace assay
