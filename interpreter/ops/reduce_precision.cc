#include <algorithm>

#include "interpreter/ops/common/elementwise.h"
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
};

}  // namespace assay
