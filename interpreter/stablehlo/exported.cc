
#include <cstddef>
#include <cstdint>

#include "interpreter/stablehlo/programs.h"

namespace assay::stablehlo {
namespace {

constexpr std::size_t kModuleField = 13;  // mlir_module_serialized

// Returns the little-endian number of this many bytes at an offset; nullopt behind the end.
std::optional<std::size_t> NumberAt(std::string_view bytes, std::size_t offset, std::size_t size) {
  if (offset > bytes.size() || bytes.size() - offset < size) return std::nullopt;
  std::size_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number |= std::size_t{static_cast<std::uint8_t>(bytes[offset + i])} << (8 * i);
  }
  return number;
}

// Returns the place to which the offset at a place leads. Offsets are relative to their own places.
std::optional<std::size_t> Follow(std::string_view bytes, std::size_t place) {
  const std::optional<std::size_t> offset = NumberAt(bytes, place, 4);
  return offset ? std::optional(place + *offset) : std::nullopt;
}

// Returns the place of a field of a table; nullopt if the table does not have it. The table begins with its distance
// from its list of fields, which is signed. The list begins with two sizes, its own and the table's.
std::optional<std::size_t> PlaceOfField(std::string_view bytes, std::size_t table, std::size_t field) {
  const std::optional<std::size_t> distance = NumberAt(bytes, table, 4);
  if (!distance) return std::nullopt;
  const std::size_t list = table - static_cast<std::size_t>(static_cast<std::int32_t>(*distance));
  const std::optional<std::size_t> size = NumberAt(bytes, list, 2);
  const std::size_t entry = 4 + 2 * field;
  if (!size || entry + 2 > *size) return std::nullopt;
  const std::optional<std::size_t> place = NumberAt(bytes, list + entry, 2);
  return place && *place > 0 ? std::optional(table + *place) : std::nullopt;
}

}  // namespace

std::optional<std::string_view> ModuleOfExported(std::string_view bytes) {
  const auto table = Follow(bytes, 0);
  const auto field = table ? PlaceOfField(bytes, *table, kModuleField) : std::nullopt;
  const auto list = field ? Follow(bytes, *field) : std::nullopt;
  const auto size = list ? NumberAt(bytes, *list, 4) : std::nullopt;
  if (!size || *size > bytes.size() - *list - 4) return std::nullopt;
  const std::string_view module = bytes.substr(*list + 4, *size);
  return module.starts_with(kBytecodeStart) ? std::optional(module) : std::nullopt;
}

}  // namespace assay::stablehlo
