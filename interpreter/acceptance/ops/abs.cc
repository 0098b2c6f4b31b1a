#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

Reals AbsoluteValues(const HloInstruction& instruction, std::span<const Reals> x) {
  if (IsComplexType(instruction.operand(0).shape.element_type())) return {0, AnyOf(F64).high, true};
  const PrimitiveType type = instruction.shape.element_type();
  if (IsIntegralType(type) && x[0].low <= AnyOf(type).low) return AnyOf(type);  // the least integer has no magnitude
  const double low = std::fabs(x[0].low), high = std::fabs(x[0].high);
  return {x[0].ContainsZero() ? 0 : std::min(low, high), std::max(low, high), x[0].may_be_nan};
}

}  // namespace

const OpAcceptance acceptance_abs = {
    .op = &op_abs, .complex_rule = Acceptance::kUlp, .image = ByElement<AbsoluteValues>, .traits = Trait::kKeepsTerms};

}  // namespace assay
