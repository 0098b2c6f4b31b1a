#include <utility>

#include "interpreter/ops/dynamic_sizes.h"
#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const Shape& result = instruction.shape;
  if (!result.IsArray() || result.element_type() != operand.element_type()) {
    return Illegal(instruction, "the result must have the element type of the operand {}, found {}",
                   operand.ToStringWithoutLayout(), result.ToStringWithoutLayout());
  }
  if (result.IsUnboundedDynamic() || operand.IsUnboundedDynamic()) {
    return Illegal(instruction, "sizes must be known, found {} from {}", result.ToStringWithoutLayout(),
                   operand.ToStringWithoutLayout());
  }
  if (ShapeUtil::ElementsIn(result) != ShapeUtil::ElementsIn(operand)) {
    return Illegal(instruction, "the result must have the {} elements of the operand {}, found {} in {}",
                   ShapeUtil::ElementsIn(operand), operand.ToStringWithoutLayout(), ShapeUtil::ElementsIn(result),
                   result.ToStringWithoutLayout());
  }
  return result;
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  return WithShapeKeepingSizes(std::move(operands[0]), instruction.shape);
}

}  // namespace

const Op op_reshape = {
    .name = "reshape",
    .meaning = "The same elements in row-major order under other dimensions.",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {Integer("inferred_dimension", -1)},
    .shape_is_inferable = false,
    .keeps_scalars = true,
    .infer = Infer,
    .evaluate = Evaluate,
};

}  // namespace assay
