#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/complex_images.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

Reals AbsoluteValues(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType type = instruction.shape.element_type();
  if (IsIntegralType(type) && x[0].low <= AnyOf(type).low) return AnyOf(type);  // the least integer has no magnitude
  const double low = std::fabs(x[0].low), high = std::fabs(x[0].high);
  return {x[0].ContainsZero() ? 0 : std::min(low, high), std::max(low, high), x[0].may_be_nan};
}

ElementSet ImageOfAbs(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                      SetEvaluation&) {
  return IsComplexType(operands[0].value.element_type()) ? MapComplex(operands, value, Modulus)
                                                         : MapElements(instruction, operands, value, AbsoluteValues);
}

}  // namespace

const OpAcceptance acceptance_abs = {
    .op = &op_abs, .complex_rule = Acceptance::kUlp, .image = ImageOfAbs, .traits = Trait::kKeepsTerms};

}  // namespace assay
