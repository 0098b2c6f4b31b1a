#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Maps intervals of predicates. Nothing is known of other types.
Reals Negation(const HloInstruction& instruction, std::span<const Reals> x) {
  if (instruction.shape.element_type() != PRED) return AnyOf(instruction.shape.element_type());
  return {1 - x[0].high, 1 - x[0].low, false};
}

}  // namespace

const OpAcceptance acceptance_not = {.op = &op_not, .image = ByElement<Negation>};

}  // namespace assay
