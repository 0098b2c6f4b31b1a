#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Maps intervals of predicates and of integers: a number and its opposite have the same sum as the ends of the type.
Reals Negation(const HloInstruction& instruction, std::span<const Reals> x) {
  const Reals any = AnyOf(instruction.shape.element_type());
  if (any.high >= 0x1p53) return any;
  const double sum = any.low + any.high;
  return {sum - x[0].high, sum - x[0].low, false};
}

}  // namespace

const OpAcceptance acceptance_not = {.op = &op_not, .image = ByElement<Negation>};

}  // namespace assay
