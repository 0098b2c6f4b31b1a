// The element types of XLA, with the numbers of xla_data.proto.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace assay {

// Unscoped, so that code reads like the specification: MakeShape(F32, {2, 3}).
enum PrimitiveType : int {
  PRIMITIVE_TYPE_INVALID = 0,
  PRED = 1,
  S8 = 2,
  S16 = 3,
  S32 = 4,
  S64 = 5,
  U8 = 6,
  U16 = 7,
  U32 = 8,
  U64 = 9,
  F16 = 10,
  F32 = 11,
  F64 = 12,
  TUPLE = 13,
  OPAQUE_TYPE = 14,
  C64 = 15,
  BF16 = 16,
  TOKEN = 17,
  C128 = 18,
  F8E5M2 = 19,
  F8E4M3FN = 20,
  S4 = 21,
  U4 = 22,
  F8E4M3B11FNUZ = 23,
  F8E5M2FNUZ = 24,
  F8E4M3FNUZ = 25,
  S2 = 26,
  U2 = 27,
  F8E4M3 = 28,
  F8E3M4 = 29,
  S1 = 30,
  U1 = 31,
  F4E2M1FN = 32,
  F8E8M0FNU = 33,
  BUFFER = 34,
  F6E3M2FN = 35,
  F6E2M3FN = 36,
};

enum class TypeCategory { kNone, kPred, kSigned, kUnsigned, kFloat, kComplex };

struct PrimitiveTypeRow {
  PrimitiveType type;
  std::string_view name;
  TypeCategory category = TypeCategory::kNone;
  int bits = 0;
};

// The properties of the types, indexed by the proto's number. float_format.cc has the formats of the floating ones.
inline constexpr std::array<PrimitiveTypeRow, 37> kPrimitiveTypes = {{
    {PRIMITIVE_TYPE_INVALID, "invalid"},
    {PRED, "pred", TypeCategory::kPred, 8},
    {S8, "s8", TypeCategory::kSigned, 8},
    {S16, "s16", TypeCategory::kSigned, 16},
    {S32, "s32", TypeCategory::kSigned, 32},
    {S64, "s64", TypeCategory::kSigned, 64},
    {U8, "u8", TypeCategory::kUnsigned, 8},
    {U16, "u16", TypeCategory::kUnsigned, 16},
    {U32, "u32", TypeCategory::kUnsigned, 32},
    {U64, "u64", TypeCategory::kUnsigned, 64},
    {F16, "f16", TypeCategory::kFloat, 16},
    {F32, "f32", TypeCategory::kFloat, 32},
    {F64, "f64", TypeCategory::kFloat, 64},
    {TUPLE, "tuple"},
    {OPAQUE_TYPE, "opaque"},
    {C64, "c64", TypeCategory::kComplex, 64},
    {BF16, "bf16", TypeCategory::kFloat, 16},
    {TOKEN, "token"},
    {C128, "c128", TypeCategory::kComplex, 128},
    {F8E5M2, "f8e5m2", TypeCategory::kFloat, 8},
    {F8E4M3FN, "f8e4m3fn", TypeCategory::kFloat, 8},
    {S4, "s4", TypeCategory::kSigned, 4},
    {U4, "u4", TypeCategory::kUnsigned, 4},
    {F8E4M3B11FNUZ, "f8e4m3b11fnuz", TypeCategory::kFloat, 8},
    {F8E5M2FNUZ, "f8e5m2fnuz", TypeCategory::kFloat, 8},
    {F8E4M3FNUZ, "f8e4m3fnuz", TypeCategory::kFloat, 8},
    {S2, "s2", TypeCategory::kSigned, 2},
    {U2, "u2", TypeCategory::kUnsigned, 2},
    {F8E4M3, "f8e4m3", TypeCategory::kFloat, 8},
    {F8E3M4, "f8e3m4", TypeCategory::kFloat, 8},
    {S1, "s1", TypeCategory::kSigned, 1},
    {U1, "u1", TypeCategory::kUnsigned, 1},
    {F4E2M1FN, "f4e2m1fn", TypeCategory::kFloat, 4},
    {F8E8M0FNU, "f8e8m0fnu", TypeCategory::kFloat, 8},
    {BUFFER, "buffer"},
    {F6E3M2FN, "f6e3m2fn", TypeCategory::kFloat, 6},
    {F6E2M3FN, "f6e2m3fn", TypeCategory::kFloat, 6},
}};
inline constexpr int kPrimitiveTypeCount = kPrimitiveTypes.size();

// A set of element types.
struct TypeSet {
  std::uint64_t bits = 0;
  constexpr bool contains(PrimitiveType type) const { return (bits >> type & 1) != 0; }
  constexpr TypeSet operator|(TypeSet other) const { return {bits | other.bits}; }
  constexpr bool operator==(const TypeSet&) const = default;
};
template <class... Types>
requires(std::is_same_v<Types, PrimitiveType>&&...) constexpr TypeSet TypesOf(Types... types) {
  return {((std::uint64_t{1} << types) | ... | 0)};
}
constexpr TypeSet TypesOf(TypeCategory category) {
  TypeSet types;
  for (const PrimitiveTypeRow& row : kPrimitiveTypes) {
    if (row.category == category) types = types | TypesOf(row.type);
  }
  return types;
}
inline constexpr TypeSet kPred = TypesOf(PRED);
inline constexpr TypeSet kTokens = TypesOf(TOKEN);
inline constexpr TypeSet kTuples = TypesOf(TUPLE);
inline constexpr TypeSet kSignedIntegral = TypesOf(TypeCategory::kSigned);
inline constexpr TypeSet kIntegral = kSignedIntegral | TypesOf(TypeCategory::kUnsigned);
inline constexpr TypeSet kFloats = TypesOf(TypeCategory::kFloat);
inline constexpr TypeSet kComplex = TypesOf(TypeCategory::kComplex);
inline constexpr TypeSet kArrays = kPred | kIntegral | kFloats | kComplex;
inline constexpr TypeSet kAny = kArrays | kTuples | kTokens | TypesOf(OPAQUE_TYPE, BUFFER);

// Returns the spelling of HLO text: "f8e4m3fn", "pred", "token", "tuple", "opaque".
constexpr std::string_view PrimitiveTypeName(PrimitiveType type) { return kPrimitiveTypes[type].name; }

// Returns the type that a reserved word of HLO text names, if any ("tuple" and "buffer" are not reserved).
std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name);

// Returns every type that an array can have, in the order of the proto's numbers.
std::span<const PrimitiveType> ArrayTypes();

constexpr TypeCategory CategoryOf(PrimitiveType type) { return kPrimitiveTypes[type].category; }
constexpr bool IsArrayType(PrimitiveType type) { return CategoryOf(type) != TypeCategory::kNone; }
constexpr bool IsSignedIntegralType(PrimitiveType type) { return CategoryOf(type) == TypeCategory::kSigned; }
constexpr bool IsUnsignedIntegralType(PrimitiveType type) { return CategoryOf(type) == TypeCategory::kUnsigned; }
// True for s* and u*, not pred.
constexpr bool IsIntegralType(PrimitiveType type) { return IsSignedIntegralType(type) || IsUnsignedIntegralType(type); }
constexpr bool IsFloatingPointType(PrimitiveType type) { return CategoryOf(type) == TypeCategory::kFloat; }
constexpr bool IsComplexType(PrimitiveType type) { return CategoryOf(type) == TypeCategory::kComplex; }
// True for a floating or complex type, inexact in NumPy's terms.
constexpr bool IsInexactType(PrimitiveType type) { return IsFloatingPointType(type) || IsComplexType(type); }

// Returns the bits of one element's value: 4 for s4, 1 for s1, 8 for pred (its stored width), 64 for c64. 0 for
// non-arrays.
constexpr int BitWidth(PrimitiveType type) { return kPrimitiveTypes[type].bits; }

// Returns the bytes of one element in a Literal: types narrower than a byte take a whole one.
constexpr int StorageBytes(PrimitiveType type) { return (BitWidth(type) + 7) / 8; }

// Returns the number of real components of an element.
constexpr int ComponentCount(PrimitiveType type) { return IsComplexType(type) ? 2 : 1; }

// Returns f32 for c64 and f64 for c128; other types map to themselves.
constexpr PrimitiveType ComplexComponentType(PrimitiveType type) {
  return type == C64 ? F32 : type == C128 ? F64 : type;
}
// Returns c64 for f32 and c128 for f64; otherwise the invalid type.
constexpr PrimitiveType ComplexTypeOf(PrimitiveType component) {
  return component == F32 ? C64 : component == F64 ? C128 : PRIMITIVE_TYPE_INVALID;
}

}  // namespace assay
