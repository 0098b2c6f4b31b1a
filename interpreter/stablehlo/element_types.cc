#include "interpreter/stablehlo/element_types.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

#include "interpreter/types/ascii.h"

namespace assay::stablehlo {
namespace {

// Converts f8e4m3fn to f8E4M3FN: capitals follow the width.
std::string MlirFloatName(std::string_view hlo_name) {
  std::string name(hlo_name);
  bool is_behind_width = false;
  for (char& c : name) {
    is_behind_width |= IsAsciiDigit(c);
    if (is_behind_width) c = AsciiUpper(c);
  }
  return name;
}

std::string MakeMlirName(const PrimitiveTypeRow& row) {
  switch (row.category) {
    case TypeCategory::kPred:
      return "i1";
    case TypeCategory::kSigned:
      return fmt::format("{}{}", row.bits == 1 ? "si" : "i", row.bits);  // i1 is pred
    case TypeCategory::kUnsigned:
      return fmt::format("ui{}", row.bits);
    case TypeCategory::kFloat:
      return MlirFloatName(row.name);
    case TypeCategory::kComplex:
      return fmt::format("complex<f{}>", row.bits / 2);
    case TypeCategory::kNone:
      break;
  }
  return std::string(row.name);
}

const std::array<std::string, kPrimitiveTypeCount>& MlirNames() {
  static const auto names = [] {
    std::array<std::string, kPrimitiveTypeCount> made;
    for (const PrimitiveTypeRow& row : kPrimitiveTypes) made[row.type] = MakeMlirName(row);
    return made;
  }();
  return names;
}

}  // namespace

std::string_view MlirTypeName(PrimitiveType type) { return MlirNames()[type]; }

std::optional<PrimitiveType> TypeOfMlirName(std::string_view name) {
  if (name == "index") return S64;
  for (const PrimitiveTypeRow& row : kPrimitiveTypes) {
    const bool is_read = row.category != TypeCategory::kNone && row.category != TypeCategory::kComplex && row.bits > 1;
    if (is_read && MlirNames()[row.type] == name) return row.type;
  }
  return std::nullopt;
}

void ExtendSigns(PrimitiveType type, std::string& bytes) {
  const int unused = 8 - BitWidth(type);
  for (char& byte : bytes) {
    const auto shifted = static_cast<std::uint8_t>(static_cast<std::uint8_t>(byte) << unused);
    byte = IsSignedIntegralType(type) ? static_cast<char>(static_cast<std::int8_t>(shifted) >> unused)
                                      : static_cast<char>(shifted >> unused);
  }
}

}  // namespace assay::stablehlo
