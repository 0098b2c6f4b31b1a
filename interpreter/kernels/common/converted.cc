#include "interpreter/kernels/common/converted.h"

#include "interpreter/numerics/convert.h"

namespace assay {

Literal WithElementType(Literal value, PrimitiveType type) {
  if (value.element_type() == type) return value;
  Literal result = Literal::Uninitialized(ShapeUtil::ChangeElementType(value.shape(), type));
  Convert(value.element_type(), value.data(), type, result.mutable_data(), value.element_count());
  return result;
}

}  // namespace assay
