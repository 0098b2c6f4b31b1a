#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/common/real_functions.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

Reals Angle(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType type = instruction.shape.element_type();
  if (!IsFloatingPointType(type)) return AnyOf(type);
  if (x[0].IsEmpty() || x[1].IsEmpty()) return Reals::Nan();
  Reals angle = Outward(Outward(AnglesOf(x[0], x[1])));
  angle.may_be_nan = x[0].may_be_nan || x[1].may_be_nan;
  return angle;
}

}  // namespace

const OpAcceptance acceptance_atan2 = {
    .op = &op_atan2, .rule = Acceptance::kUlp, .image = ByElement<Angle>, .traits = Trait::kJumps};

}  // namespace assay
