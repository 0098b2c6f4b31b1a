#include "interpreter/ops/dynamic_sizes.h"

#include <utility>

#include "interpreter/ops/legality.h"

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

}  // namespace assay
