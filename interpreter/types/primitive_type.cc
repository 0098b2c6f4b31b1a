#include "interpreter/types/primitive_type.h"

#include <array>
#include <vector>

namespace assay {
namespace {

enum class Category { kNone, kPred, kSigned, kUnsigned, kFloat, kComplex };

struct Row {
  PrimitiveType type;
  std::string_view name;
  Category category = Category::kNone;
  int bits = 0;
};

// Indexed by the proto's number.
constexpr std::array<Row, kPrimitiveTypeCount> kRows = {{
    {PRIMITIVE_TYPE_INVALID, "invalid"},
    {PRED, "pred", Category::kPred, 8},
    {S8, "s8", Category::kSigned, 8},
    {S16, "s16", Category::kSigned, 16},
    {S32, "s32", Category::kSigned, 32},
    {S64, "s64", Category::kSigned, 64},
    {U8, "u8", Category::kUnsigned, 8},
    {U16, "u16", Category::kUnsigned, 16},
    {U32, "u32", Category::kUnsigned, 32},
    {U64, "u64", Category::kUnsigned, 64},
    {F16, "f16", Category::kFloat, 16},
    {F32, "f32", Category::kFloat, 32},
    {F64, "f64", Category::kFloat, 64},
    {TUPLE, "tuple"},
    {OPAQUE_TYPE, "opaque"},
    {C64, "c64", Category::kComplex, 64},
    {BF16, "bf16", Category::kFloat, 16},
    {TOKEN, "token"},
    {C128, "c128", Category::kComplex, 128},
    {F8E5M2, "f8e5m2", Category::kFloat, 8},
    {F8E4M3FN, "f8e4m3fn", Category::kFloat, 8},
    {S4, "s4", Category::kSigned, 4},
    {U4, "u4", Category::kUnsigned, 4},
    {F8E4M3B11FNUZ, "f8e4m3b11fnuz", Category::kFloat, 8},
    {F8E5M2FNUZ, "f8e5m2fnuz", Category::kFloat, 8},
    {F8E4M3FNUZ, "f8e4m3fnuz", Category::kFloat, 8},
    {S2, "s2", Category::kSigned, 2},
    {U2, "u2", Category::kUnsigned, 2},
    {F8E4M3, "f8e4m3", Category::kFloat, 8},
    {F8E3M4, "f8e3m4", Category::kFloat, 8},
    {S1, "s1", Category::kSigned, 1},
    {U1, "u1", Category::kUnsigned, 1},
    {F4E2M1FN, "f4e2m1fn", Category::kFloat, 4},
    {F8E8M0FNU, "f8e8m0fnu", Category::kFloat, 8},
    {BUFFER, "buffer"},
    {F6E3M2FN, "f6e3m2fn", Category::kFloat, 6},
    {F6E2M3FN, "f6e2m3fn", Category::kFloat, 6},
}};

constexpr bool RowsFollowTheNumbers() {
  for (int i = 0; i < kPrimitiveTypeCount; ++i) {
    if (kRows[i].type != i) return false;
  }
  return true;
}
static_assert(RowsFollowTheNumbers());

Category CategoryOf(PrimitiveType type) { return kRows[type].category; }

}  // namespace

std::string_view PrimitiveTypeName(PrimitiveType type) { return kRows[type].name; }

std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name) {
  for (const Row& row : kRows) {
    const bool reserved = row.type != PRIMITIVE_TYPE_INVALID && row.type != TUPLE && row.type != BUFFER;
    if (reserved && row.name == name) return row.type;
  }
  return std::nullopt;
}

std::span<const PrimitiveType> ArrayTypes() {
  static const std::vector<PrimitiveType> types = [] {
    std::vector<PrimitiveType> result;
    for (const Row& row : kRows) {
      if (row.category != Category::kNone) result.push_back(row.type);
    }
    return result;
  }();
  return types;
}

bool IsArrayType(PrimitiveType type) { return CategoryOf(type) != Category::kNone; }
bool IsSignedIntegralType(PrimitiveType type) { return CategoryOf(type) == Category::kSigned; }
bool IsUnsignedIntegralType(PrimitiveType type) { return CategoryOf(type) == Category::kUnsigned; }
bool IsIntegralType(PrimitiveType type) { return IsSignedIntegralType(type) || IsUnsignedIntegralType(type); }
bool IsFloatingPointType(PrimitiveType type) { return CategoryOf(type) == Category::kFloat; }
bool IsComplexType(PrimitiveType type) { return CategoryOf(type) == Category::kComplex; }

int BitWidth(PrimitiveType type) { return kRows[type].bits; }
int StorageBytes(PrimitiveType type) { return (BitWidth(type) + 7) / 8; }

PrimitiveType ComplexComponentType(PrimitiveType type) {
  if (type == C64) return F32;
  if (type == C128) return F64;
  return type;
}

PrimitiveType ComplexTypeOf(PrimitiveType component) {
  if (component == F32) return C64;
  if (component == F64) return C128;
  return PRIMITIVE_TYPE_INVALID;
}

}  // namespace assay
