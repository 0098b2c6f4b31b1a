#include "interpreter/types/primitive_type.h"

#include <array>
#include <cstddef>
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

constexpr std::size_t kNamePlaces = 128;

// Returns the place at which the search for a name of two bytes or more begins.
constexpr std::size_t FirstPlace(std::string_view name) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(name[i])); };
  return (byte(0) + 5 * byte(1) + 11 * byte(name.size() - 1) + 29 * name.size()) % kNamePlaces;
}

// The reserved names, each at its first place or the next free one.
constexpr std::array<PrimitiveType, kNamePlaces> kByName = [] {
  std::array<PrimitiveType, kNamePlaces> by_name = {};
  for (const PrimitiveTypeRow& row : kPrimitiveTypes) {
    if (row.type == PRIMITIVE_TYPE_INVALID || row.type == TUPLE || row.type == BUFFER) continue;
    std::size_t place = FirstPlace(row.name);
    while (by_name[place] != PRIMITIVE_TYPE_INVALID) place = (place + 1) % kNamePlaces;
    by_name[place] = row.type;
  }
  return by_name;
}();

}  // namespace

std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name) {
  if (name.size() < 2) return std::nullopt;
  for (std::size_t place = FirstPlace(name); kByName[place] != PRIMITIVE_TYPE_INVALID;
       place = (place + 1) % kNamePlaces) {
    if (PrimitiveTypeName(kByName[place]) == name) return kByName[place];
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
