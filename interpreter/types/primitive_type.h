// The element types of XLA, with the numbers of xla_data.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assay {

// Unscoped so that code reads as the specification writes it: MakeShape(F32, {2, 3}).
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

inline constexpr int kPrimitiveTypeCount = 37;

// A set of element types.
struct TypeSet {
  std::uint64_t bits = 0;
  constexpr bool contains(PrimitiveType type) const { return (bits >> type & 1) != 0; }
  constexpr TypeSet operator|(TypeSet other) const { return {bits | other.bits}; }
  constexpr bool operator==(const TypeSet&) const = default;
};
template <class... Types>
constexpr TypeSet TypesOf(Types... types) {
  return {((std::uint64_t{1} << types) | ... | 0)};
}

// The spelling of HLO text: "f8e4m3fn", "pred", "token", "tuple", "opaque".
std::string_view PrimitiveTypeName(PrimitiveType type);

// The type a reserved word of HLO text names, if it names one ("tuple" and "buffer" are not reserved).
std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name);

// Every type that an array can have, in the order of the proto's numbers.
std::span<const PrimitiveType> ArrayTypes();

bool IsArrayType(PrimitiveType type);
bool IsSignedIntegralType(PrimitiveType type);
bool IsUnsignedIntegralType(PrimitiveType type);
bool IsIntegralType(PrimitiveType type);  // s* and u*, not pred
bool IsFloatingPointType(PrimitiveType type);
bool IsComplexType(PrimitiveType type);

// Bits of one element's value: 4 for s4, 1 for s1, 8 for pred (its stored width), 64 for c64. 0 for non-arrays.
int BitWidth(PrimitiveType type);

// Bytes of one element in a Literal: types narrower than a byte take a whole one.
int StorageBytes(PrimitiveType type);

// c64 -> f32, c128 -> f64; other types map to themselves.
PrimitiveType ComplexComponentType(PrimitiveType type);
// f32 -> c64, f64 -> c128; invalid otherwise.
PrimitiveType ComplexTypeOf(PrimitiveType component);

}  // namespace assay
