#include <cmath>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/numerics/round.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

Reals Finiteness(const HloInstruction& instruction, std::span<const Reals> x) {
  const FloatFormat& format = FloatFormatOf(instruction.operand(0).shape.element_type());
  const double largest = ToDouble(format, format.max_finite_bits());
  // Finite numbers beyond the largest one are kept in a wider type.
  const bool may_be = x[0].low < INFINITY && x[0].high > -INFINITY;
  const bool must_be = x[0].low >= -largest && x[0].high <= largest && !x[0].may_be_nan;
  return {must_be ? 1.0 : 0.0, may_be ? 1.0 : 0.0, false};
}

}  // namespace

const OpAcceptance acceptance_is_finite = {.op = &op_is_finite, .image = ByElement<Finiteness>};

}  // namespace assay
