#include "interpreter/ops/common/scale_rules.h"

#include <algorithm>

namespace assay {
namespace {

bool HasOneElement(const Shape& shape) {
  return std::ranges::all_of(shape.dimensions(), [](std::int64_t size) { return size == 1; });
}

}  // namespace

bool IsDummyScale(const Shape& operand, const Shape& scale) {
  return operand.element_type() == BF16 && scale.element_type() == BF16 && HasOneElement(scale) &&
         !HasOneElement(operand);
}

PrimitiveType ScaledType(PrimitiveType operand, PrimitiveType scale) {
  const auto is_any = [&](bool (*has)(PrimitiveType)) { return has(operand) || has(scale); };
  return is_any(IsComplexType) ? C128 : is_any(IsFloatingPointType) ? F64 : S64;
}

}  // namespace assay
