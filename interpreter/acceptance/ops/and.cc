#include <algorithm>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Maps intervals of predicates. Nothing is known of other types.
Reals Conjunction(const HloInstruction& instruction, std::span<const Reals> x) {
  if (instruction.shape.element_type() != PRED) return AnyOf(instruction.shape.element_type());
  return {std::min(x[0].low, x[1].low), std::min(x[0].high, x[1].high), false};
}

}  // namespace

const OpAcceptance acceptance_and = {.op = &op_and, .image = ByElement<Conjunction>};

}  // namespace assay
