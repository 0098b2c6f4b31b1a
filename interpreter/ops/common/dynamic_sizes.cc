#include "interpreter/ops/common/dynamic_sizes.h"

#include <algorithm>
#include <utility>

#include "interpreter/ops/common/legality.h"

namespace assay {

Literal WithShapeKeepingSizes(Literal value, const Shape& shape) {
  if (shape.IsTuple()) {
    for (std::size_t i = 0; i < value.elements().size(); ++i) {
      Literal& element = value.mutable_elements()[i];
      element = WithShapeKeepingSizes(std::move(element), shape.tuple_shapes(i));
    }
    return std::move(value).WithShape(shape);
  }
  Dimensions sizes;
  if (value.has_dynamic_sizes() && ShapeUtil::SameDimensions(value.shape(), shape)) {
    for (std::int64_t d = 0; d < shape.rank(); ++d) sizes.push_back(value.dynamic_size(d));
  }
  Literal result = std::move(value).WithShape(shape);
  for (std::size_t d = 0; d < sizes.size(); ++d) result.set_dynamic_size(d, sizes[d]);
  return result;
}

bool KeepsBuffer(const Shape& from, const Shape& to) {
  return from.element_type() == to.element_type() && from.dimensions() == to.dimensions() &&
         from.has_layout() == to.has_layout() && (!from.has_layout() || from.layout() == to.layout());
}

Result<Shape> InferOperand(const HloInstruction& instruction) { return instruction.operand(0).shape; }

Literal EvaluateOperand(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  return WithShapeKeepingSizes(std::move(operands[0]), instruction.shape);
}

Result<std::int64_t> FindSizedDimension(const HloInstruction& instruction) {
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
  return dimensions[0];
}

void ShrinkTo(HloInstruction& instruction, std::int64_t i, std::int64_t dimension, std::int64_t size) {
  Shape& shape = instruction.operands[i]->shape;
  shape.set_dimensions(dimension, std::min(shape.dimensions(dimension), size));
}

void Equalize(HloInstruction& instruction, std::int64_t i, std::int64_t dimension, std::int64_t other_i,
              std::int64_t other_dimension) {
  ShrinkTo(instruction, i, dimension, instruction.operand(other_i).shape.dimensions(other_dimension));
  ShrinkTo(instruction, other_i, other_dimension, instruction.operand(i).shape.dimensions(dimension));
}

void EqualizeOperands(HloInstruction& instruction, std::size_t begin, std::size_t end) {
  // The first pass shrinks the first operand to the smallest sizes. The second shrinks the others to these.
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = begin + 1; i < end; ++i) {
      for (std::int64_t d = 0; d < instruction.operand(begin).shape.rank(); ++d) Equalize(instruction, begin, d, i, d);
    }
  }
}

}  // namespace assay
