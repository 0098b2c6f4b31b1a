#include "interpreter/acceptance/ops/common/complex_images.h"
#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/common/real_functions.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

Reals AbsoluteValues(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType type = instruction.shape.element_type();
  if (IsIntegralType(type) && x[0].low <= AnyOf(type).low) return AnyOf(type);  // the least integer has no magnitude
  return MagnitudesOf(x[0]);
}

}  // namespace

const OpAcceptance acceptance_abs = {.op = &op_abs,
                                     .complex_rule = Acceptance::kUlp,
                                     .image = RealOrComplex<ByElement<AbsoluteValues>, Modulus>,
                                     .traits = Trait::kKeepsTerms};

}  // namespace assay
