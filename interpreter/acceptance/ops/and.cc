#include <algorithm>
#include <optional>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Maps intervals of predicates, and those of integers by a mask.
Reals Conjunction(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType type = instruction.shape.element_type();
  if (type == PRED) return {std::min(x[0].low, x[1].low), std::min(x[0].high, x[1].high), false};
  const std::optional<MaskedBits> bits = MaskedBitsOf(x);
  return bits ? bits->shared : AnyOf(type);
}

}  // namespace

const OpAcceptance acceptance_and = {.op = &op_and, .image = ByElement<Conjunction>};

}  // namespace assay
