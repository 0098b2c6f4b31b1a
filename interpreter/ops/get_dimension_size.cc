#include <cstdint>

#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const auto dimensions = instruction.Int64s("dimensions");
  if (dimensions.size() != 1) {
    return Illegal(instruction, "dimensions must name one dimension, found {}", dimensions.size());
  }
  ASSAY_CHECK_OK(CheckDimensionNumbers(instruction, "dimensions", dimensions, operand.rank()));
  if (operand.dimensions(dimensions[0]) > INT32_MAX) {
    return Illegal(instruction, "the size of dimension {} must fit s32, found {}", dimensions[0],
                   operand.dimensions(dimensions[0]));
  }

  return ShapeUtil::MakeScalarShape(S32);
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const std::int64_t size = operands[0].dynamic_size(instruction.Int64s("dimensions")[0]);
  return LiteralUtil::CreateR0(S32, static_cast<std::int32_t>(size));
}

}  // namespace

const Op op_get_dimension_size = {
    .name = "get-dimension-size",
    .meaning = "The run-time size of a dimension.",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {OneDimension("dimensions")},
    .infer = Infer,
    .evaluate = Evaluate,
};

}  // namespace assay
