#include "interpreter/ops/dynamic_sizes.h"

#include <utility>

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

}  // namespace assay
