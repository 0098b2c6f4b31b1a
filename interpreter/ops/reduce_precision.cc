#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/elementwise.h"
#include "interpreter/ops/common/images.h"
#include "interpreter/ops/common/legality.h"

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

// Rounds the mantissa in the format's own code, ties to even, where a carry steps the exponent; then the exponent
// decides: above the reduced range the overflow value, below its normal numbers a zero. Bits that the format does not
// have in the first place change nothing.
std::uint64_t ReducePrecision(const FloatFormat& format, int exponent_bits, int mantissa_bits, std::uint64_t bits) {
  if (format.is_nan(bits) || format.is_infinity(bits)) return bits;
  const bool is_negative = (bits & format.sign_mask()) != 0;
  std::uint64_t magnitude = bits & format.magnitude_mask();
  if (mantissa_bits < format.mantissa_bits) {
    const int drop = format.mantissa_bits - mantissa_bits;
    const std::uint64_t last_place = std::uint64_t{1} << drop;
    magnitude += last_place / 2 - 1 + (magnitude >> drop & 1);
    magnitude &= ~(last_place - 1);
  }
  if (magnitude > format.max_finite_bits()) return format.overflow_bits(is_negative);
  if (exponent_bits < format.exponent_bits) {
    const int reduced_bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(magnitude >> format.mantissa_bits) - format.bias;
    if (exponent > reduced_bias) return format.overflow_bits(is_negative);
    if (exponent <= -reduced_bias) return Round(format, is_negative, 0, 0, /*sticky=*/false);
  }
  return magnitude | (is_negative && (magnitude != 0 || format.has_negative_zero) ? format.sign_mask() : 0);
}

Kernel ReducePrecisionKernel(const HloInstruction& instruction) {
  const PrimitiveType type = instruction.shape.element_type();
  const int bytes = StorageBytes(type);
  const PrimitiveType bits_type = bytes == 1 ? U8 : bytes == 2 ? U16 : bytes == 4 ? U32 : U64;
  const FloatFormat& format = FloatFormatOf(type);
  const auto exponent_bits = static_cast<int>(std::min<std::int64_t>(instruction.Int64("exponent_bits"), 64));
  const auto mantissa_bits = static_cast<int>(std::min<std::int64_t>(instruction.Int64("mantissa_bits"), 64));
  return [=, &format](std::span<const std::byte* const> operands, std::byte* result, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      std::uint64_t bits = 0;
      LoadIntegers(bits_type, operands[0] + i * bytes, &bits, 1);
      bits = ReducePrecision(format, exponent_bits, mantissa_bits, bits);
      StoreIntegers(bits_type, &bits, result + i * bytes, 1);
    }
  };
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
    .evaluation = {.kernel = ReducePrecisionKernel},
    .acceptance = {.image = Image, .rounds = true, .gives_operand = GivesOperand},
};

}  // namespace assay
