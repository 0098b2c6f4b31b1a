#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/ops/common/images.h"
#include "interpreter/acceptance/ops/records.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// True if the instruction drops no bit.
bool ReducePrecisionGivesOperand(const HloInstruction& instruction) {
  const FloatFormat& format = FloatFormatOf(instruction.shape.element_type());
  return instruction.Int64("exponent_bits") >= format.exponent_bits &&
         instruction.Int64("mantissa_bits") >= format.mantissa_bits;
}

// Maps sets through the f64 evaluation, which differs in two ways. An overflow is infinity, which not all formats have.
// Numbers that are subnormal in the format are rounded at other places, or are flushed although the format keeps them.
ElementSet ImageOfReducePrecision(const HloInstruction& instruction, std::span<const ValueSet> operands,
                                  const Literal& value, SetEvaluation& evaluation) {
  if (ReducePrecisionGivesOperand(instruction)) return operands[0].open;
  const FloatFormat& format = FloatFormatOf(value.element_type());
  if (!format.has_infinity) return Anything(value, &instruction).open;
  const ElementSet image = Monotone<1>(instruction, operands, value, evaluation);
  if (instruction.Int64("exponent_bits") < format.exponent_bits || image == nullptr) return image;
  const double least = std::ldexp(1.0, format.min_exponent());
  ValueSet set = ValueSet::Of(value);
  set.open = image;
  const ElementReader reader(set);
  ElementWriter writer(value);
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    if (!reader.IsOpen(i)) continue;
    Reals reals = reader.At(i);
    if (reals.low < least && reals.high >= 0) reals.high = std::max(reals.high, least);
    if (reals.high > -least && reals.low <= 0) reals.low = std::min(reals.low, -least);
    if (reals.low > 0 && reals.low <= least) reals.low = 0;
    if (reals.high < 0 && reals.high >= -least) reals.high = 0;
    writer.Set(i, reals);
  }
  return writer.Take();
}

}  // namespace

const OpAcceptance acceptance_reduce_precision = {.op = &op_reduce_precision,
                                                  .image = ImageOfReducePrecision,
                                                  .traits = Trait::kRounds,
                                                  .forms = {.gives_operand = ReducePrecisionGivesOperand}};

}  // namespace assay
