#include "interpreter/types/primitive_type.h"

#include <vector>

namespace assay {
namespace {

constexpr bool RowsFollowTheNumbers() {
  for (int i = 0; i < kPrimitiveTypeCount; ++i) {
    if (kPrimitiveTypes[i].type != i) return false;
  }
  return true;
}
static_assert(RowsFollowTheNumbers());

}  // namespace

std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name) {
  for (const PrimitiveTypeRow& row : kPrimitiveTypes) {
    // Called for every word of a text: most names end here.
    if (row.name.size() != name.size() || row.name.back() != name.back()) continue;
    const bool reserved = row.type != PRIMITIVE_TYPE_INVALID && row.type != TUPLE && row.type != BUFFER;
    if (reserved && row.name == name) return row.type;
  }
  return std::nullopt;
}

std::span<const PrimitiveType> ArrayTypes() {
  static const std::vector<PrimitiveType> types = [] {
    std::vector<PrimitiveType> result;
    for (const PrimitiveTypeRow& row : kPrimitiveTypes) {
      if (IsArrayType(row.type)) result.push_back(row.type);
    }
    return result;
  }();
  return types;
}

}  // namespace assay
