#include "interpreter/types/primitive_type.h"

#include <array>
#include <cstdint>
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

constexpr std::uint32_t MaskOf(char second) { return std::uint32_t{1} << (static_cast<unsigned char>(second) & 31); }

// The second bytes of type names by their first bytes: bit `byte % 32`.
constexpr std::array<std::uint32_t, 256> kBegins = [] {
  std::array<std::uint32_t, 256> begins = {};
  for (const PrimitiveTypeRow& row : kPrimitiveTypes) {
    begins[static_cast<unsigned char>(row.name[0])] |= MaskOf(row.name[1]);
  }
  return begins;
}();

}  // namespace

std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name) {
  // Called for every word of a text: most words fail this test, or the tests of the size and last byte below.
  if (name.size() < 2 || (kBegins[static_cast<unsigned char>(name[0])] & MaskOf(name[1])) == 0) return std::nullopt;
  for (const PrimitiveTypeRow& row : kPrimitiveTypes) {
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
