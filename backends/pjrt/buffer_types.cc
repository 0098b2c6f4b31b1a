#include "backends/pjrt/buffer_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace assay::pjrt {
namespace {

struct BufferType {
  PrimitiveType type;
  PJRT_Buffer_Type of_plugin;
  // The first minor version of PJRT that is known to have the number (xla/pjrt/c/CHANGELOG.md). That page does not name
  // S2, U2 and the types of six bits: theirs are the oldest versions whose headers were seen to have them.
  int since = kOldestMinorVersion;
};
constexpr BufferType kBufferTypes[] = {
    {PRED, PJRT_Buffer_Type_PRED},
    {S1, PJRT_Buffer_Type_S1, 94},
    {S2, PJRT_Buffer_Type_S2, 55},
    {S4, PJRT_Buffer_Type_S4},
    {S8, PJRT_Buffer_Type_S8},
    {S16, PJRT_Buffer_Type_S16},
    {S32, PJRT_Buffer_Type_S32},
    {S64, PJRT_Buffer_Type_S64},
    {U1, PJRT_Buffer_Type_U1, 94},
    {U2, PJRT_Buffer_Type_U2, 55},
    {U4, PJRT_Buffer_Type_U4},
    {U8, PJRT_Buffer_Type_U8},
    {U16, PJRT_Buffer_Type_U16},
    {U32, PJRT_Buffer_Type_U32},
    {U64, PJRT_Buffer_Type_U64},
    {F4E2M1FN, PJRT_Buffer_Type_F4E2M1FN, 63},
    {F6E2M3FN, PJRT_Buffer_Type_F6E2M3FN, 114},
    {F6E3M2FN, PJRT_Buffer_Type_F6E3M2FN, 114},
    {F8E3M4, PJRT_Buffer_Type_F8E3M4, 55},
    {F8E4M3, PJRT_Buffer_Type_F8E4M3, 55},
    {F8E4M3FN, PJRT_Buffer_Type_F8E4M3FN},
    {F8E4M3B11FNUZ, PJRT_Buffer_Type_F8E4M3B11FNUZ},
    {F8E4M3FNUZ, PJRT_Buffer_Type_F8E4M3FNUZ},
    {F8E5M2, PJRT_Buffer_Type_F8E5M2},
    {F8E5M2FNUZ, PJRT_Buffer_Type_F8E5M2FNUZ},
    {F8E8M0FNU, PJRT_Buffer_Type_F8E8M0FNU, 63},
    {F16, PJRT_Buffer_Type_F16},
    {BF16, PJRT_Buffer_Type_BF16},
    {F32, PJRT_Buffer_Type_F32},
    {F64, PJRT_Buffer_Type_F64},
    {C64, PJRT_Buffer_Type_C64},
    {C128, PJRT_Buffer_Type_C128},
};

}  // namespace

PJRT_Buffer_Type BufferTypeOf(PrimitiveType type) {
  const auto* const found = std::ranges::find(kBufferTypes, type, &BufferType::type);
  return found == std::end(kBufferTypes) ? PJRT_Buffer_Type_INVALID : found->of_plugin;
}

PrimitiveType PrimitiveTypeOf(PJRT_Buffer_Type type) {
  const auto* const found = std::ranges::find(kBufferTypes, type, &BufferType::of_plugin);
  return found == std::end(kBufferTypes) ? PRIMITIVE_TYPE_INVALID : found->type;
}

std::vector<std::string> TypesOfVersion(int minor_version) {
  std::vector<std::string> names;
  for (const BufferType& row : kBufferTypes) {
    if (row.since <= minor_version) names.emplace_back(PrimitiveTypeName(row.type));
  }
  return names;
}

std::string NameOf(PJRT_Buffer_Type type) {
  const PrimitiveType known = PrimitiveTypeOf(type);
  if (known != PRIMITIVE_TYPE_INVALID) return std::string(PrimitiveTypeName(known));
  return fmt::format("type {}", static_cast<int>(type));
}

}  // namespace assay::pjrt
