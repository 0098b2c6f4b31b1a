#include <algorithm>
#include <optional>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"

namespace assay {
namespace {

// Maps intervals of predicates, and those of integers with a known one.
Reals Disjunction(const HloInstruction& instruction, std::span<const Reals> x) {
  const PrimitiveType type = instruction.shape.element_type();
  if (type == PRED) return {std::max(x[0].low, x[1].low), std::max(x[0].high, x[1].high), false};
  const std::optional<MaskedBits> bits = MaskedBitsOf(x);
  return bits ? Reals{bits->mask + bits->others.low, bits->mask + bits->others.high, false} : AnyOf(type);
}

}  // namespace

const OpAcceptance acceptance_or = {.op = &op_or, .image = ByElement<Disjunction>};

}  // namespace assay
