#include <algorithm>
#include <vector>

#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/plain.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferDynamicReshape(const HloInstruction& instruction) {
  ASSAY_CHECK_OK(CheckArrayOperand(instruction, 0));
  const Shape& operand = instruction.operand(0).shape;
  const Shape& result = instruction.shape;
  if (!result.IsArray() || result.element_type() != operand.element_type()) {
    return Illegal(instruction, "the result must have the element type of the operand {}, found {}",
                   operand.ToStringWithoutLayout(), result.ToStringWithoutLayout());
  }
  if (result.IsUnboundedDynamic() || ShapeUtil::ElementsIn(result) != ShapeUtil::ElementsIn(operand)) {
    return Illegal(instruction, "the result must have as many elements as the operand {}, found {}",
                   operand.ToStringWithoutLayout(), result.ToStringWithoutLayout());
  }
  const auto sizes = static_cast<std::int64_t>(instruction.operands.size()) - 1;
  if (sizes != result.rank()) {
    return Illegal(instruction, "needs one size for each of the {} result dimensions, found {}", result.rank(), sizes);
  }
  for (std::int64_t d = 0; d < sizes; ++d) {
    const Shape& size = instruction.operand(d + 1).shape;
    if (!size.IsScalar() || size.element_type() != S32) {
      return Illegal(instruction, "size {} must be s32[], found {}", d, size.ToStringWithoutLayout());
    }
  }
  return result;
}

// Moves the elements inside the operand's run-time sizes, row-major, to those inside the result's run-time sizes. If
// the two counts differ the result is that of a plain reshape.
Literal EvaluateDynamicReshape(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  const Shape& shape = instruction.shape;
  const Literal& operand = operands[0];
  Dimensions from_sizes, to_sizes;
  for (std::int64_t d = 0; d < operand.shape().rank(); ++d) from_sizes.push_back(operand.dynamic_size(d));
  for (std::int64_t d = 0; d < shape.rank(); ++d) {
    const std::int64_t bound = shape.dimensions(d), least = shape.is_dynamic_dimension(d) ? 0 : bound;
    to_sizes.push_back(std::clamp(operands[d + 1].IntegerAt(0), least, bound));
  }
  Literal result = operand.WithShape(shape);
  if (Product(from_sizes) == Product(to_sizes)) {
    std::vector<Element> elements;
    ForEachIndex(from_sizes, [&](const Index& index) { elements.push_back(At(operand, index)); });
    result = Literal(shape);
    auto element = elements.begin();
    ForEachIndex(to_sizes, [&](const Index& index) { Set(result, index, *element++); });
  }
  for (std::int64_t d = 0; d < shape.rank(); ++d) result.set_dynamic_size(d, to_sizes[d]);
  return result;
}

}  // namespace

const Op op_dynamic_reshape = {
    .name = "dynamic-reshape",
    .meaning = "A reshape whose result sizes are operands.",
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = AtLeast(1), .types = kArrays, .infer = InferDynamicReshape},
    .evaluation = {.evaluate = EvaluateDynamicReshape, .sees_run_time_sizes = true},
};

}  // namespace assay
