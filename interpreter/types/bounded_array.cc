#include "interpreter/types/bounded_array.h"

#include "interpreter/types/index_util.h"
#include "interpreter/types/strided_copy.h"

namespace assay {

bool IsBelowItsBound(const Literal& array) {
  return array.has_dynamic_sizes() && !ShapeUtil::SameDimensions(RunTimeShape(array), array.shape());
}

Shape RunTimeShape(const Literal& array) {
  Dimensions sizes;
  for (std::int64_t d = 0; d < array.shape().rank(); ++d) sizes.push_back(array.dynamic_size(d));
  return ShapeUtil::MakeShape(array.element_type(), std::move(sizes));
}

Literal LeadingElements(const Literal& array, const Shape& shape) {
  if (ShapeUtil::SameDimensions(array.shape(), shape)) return array.WithShape(shape);
  return StridedRead(shape, array, 0, RowMajorStrides(array.shape().dimensions()));
}

Literal WithBound(const Literal& array, const Shape& bound) {
  if (ShapeUtil::SameDimensions(array.shape(), bound)) return array.WithShape(bound);
  Literal result(bound);
  const Dimensions& sizes = array.shape().dimensions();
  StridedCopy(StorageBytes(bound.element_type()), sizes, RowMajorStrides(sizes), RowMajorStrides(bound.dimensions()))
      .ParallelCopy(array.data(), result.mutable_data());
  for (std::int64_t d = 0; d < bound.rank(); ++d) result.set_dynamic_size(d, sizes[d]);
  return result;
}

}  // namespace assay
