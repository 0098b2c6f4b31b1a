#include "interpreter/ops/elementwise.h"

namespace assay {
namespace {

Result<Shape> InferClamp(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckElementType(instruction));
  const Shape& shape = instruction.operand(1).shape;
  for (const HloInstruction* operand : instruction.operands) {
    if (!shape.IsArray() || !ShapeUtil::SameElementTypeIgnoringFpPrecision(operand->shape, shape)) {
      return IllegalOperands(instruction, "operands must have equal element types", "equal types, or all floating");
    }
    if (!operand->shape.IsScalar() && !ShapeUtil::SameDimensions(operand->shape, shape)) {
      return IllegalOperands(instruction, "a bound must be a scalar or have the dimensions of operand 1",
                             "no implicit broadcast");
    }
  }
  return shape;
}

}  // namespace

const Op op_clamp = {
    .name = "clamp",
    .meaning = "minimum(maximum(x, min), max).",
    .arity = Exactly(3),
    .types = kPred | kIntegral | kFloats,
    .infer = InferClamp,
    .kernel = NumberKernel<[](auto min, auto x, auto max) { return Minimum(Maximum(x, min), max); }>,
};

}  // namespace assay
