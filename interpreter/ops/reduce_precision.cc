#include <algorithm>
#include <cmath>

#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/common/reduced_precision.h"
#include "interpreter/ops/plain/element_wise.h"

namespace assay {
namespace {

Result<Shape> InferReducePrecision(const HloInstruction& instruction) {
  if (instruction.Int64("exponent_bits") < 1) {
    return Illegal(instruction, "exponent_bits must be at least 1 (rule: zero differs from infinity), found {}",
                   instruction.Int64("exponent_bits"));
  }
  if (instruction.Int64("mantissa_bits") < 0) {
    return Illegal(instruction, "mantissa_bits must not be negative (rule: mantissa_bits >= 0), found {}",
                   instruction.Int64("mantissa_bits"));
  }
  return InferUnary(instruction);
}

Kernel ReducedPrecision(const HloInstruction& reduce) {
  const auto exponent_bits = static_cast<int>(std::min<std::int64_t>(reduce.Int64("exponent_bits"), 64));
  const auto mantissa_bits = static_cast<int>(std::min<std::int64_t>(reduce.Int64("mantissa_bits"), 64));
  return plain::ElementByElement(reduce, [=](const plain::Row& row) {
    const PrimitiveType type = row[0].type;
    const FloatFormat& format = FloatFormatOf(type);
    return plain::WithBits(type, ReducePrecision(format, exponent_bits, mantissa_bits, plain::BitsOf(row[0])));
  });
}

// No bit is dropped.
bool GivesOperand(const HloInstruction& instruction) {
  const FloatFormat& format = FloatFormatOf(instruction.shape.element_type());
  return instruction.Int64("exponent_bits") >= format.exponent_bits &&
         instruction.Int64("mantissa_bits") >= format.mantissa_bits;
}

// In f64 what overflows is an infinity, which not all formats have; and numbers that are subnormal in the format are
// rounded at other places, or are flushed where the format keeps them.
ElementSet Image(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                 SetEvaluation& evaluation) {
  if (GivesOperand(instruction)) return operands[0].open;
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

const Op op_reduce_precision = {
    .name = "reduce-precision",
    .meaning = "Each element rounded to fewer exponent and mantissa bits.",
    .syntax =
        {
            .attributes = {Required("exponent_bits", AttributeKind::kInt64),
                           Required("mantissa_bits", AttributeKind::kInt64)},
            .shape_is_inferable = false,
        },
    .legality = {.arity = Exactly(1), .types = kFloats, .allows_mixed_precision = true, .infer = InferReducePrecision},
    .evaluation = {.kernel = ReducedPrecision},
    .acceptance = {.image = Image, .rounds = true, .gives_operand = GivesOperand},
};

}  // namespace assay
