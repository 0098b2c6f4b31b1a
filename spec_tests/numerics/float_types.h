// The element types of tests that cover all types of one kind.
#pragma once

#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay::testing {

// Returns the real floating-point types of up to `max_bits` bits.
inline std::vector<PrimitiveType> FloatTypes(int max_bits = 64) {
  std::vector<PrimitiveType> types;
  for (const PrimitiveType type : ArrayTypes()) {
    if (IsFloatingPointType(type) && BitWidth(type) <= max_bits) types.push_back(type);
  }
  return types;
}

}  // namespace assay::testing
