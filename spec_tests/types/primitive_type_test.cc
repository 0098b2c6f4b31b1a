#include "interpreter/types/primitive_type.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "spec_tests/catch.h"

using namespace assay;

namespace {

enum class Kind { kNone, kPred, kSigned, kUnsigned, kFloat, kComplex };

struct Expected {
  std::string_view name;
  PrimitiveType type;
  int number;
  Kind kind;
  int bits;
  int storage_bytes;
  bool reserved = true;
};

// Copied from xla_data.proto by hand.
constexpr Expected kExpected[] = {
    {"invalid", PRIMITIVE_TYPE_INVALID, 0, Kind::kNone, 0, 0, false},
    {"pred", PRED, 1, Kind::kPred, 8, 1},
    {"s1", S1, 30, Kind::kSigned, 1, 1},
    {"u1", U1, 31, Kind::kUnsigned, 1, 1},
    {"s2", S2, 26, Kind::kSigned, 2, 1},
    {"u2", U2, 27, Kind::kUnsigned, 2, 1},
    {"s4", S4, 21, Kind::kSigned, 4, 1},
    {"u4", U4, 22, Kind::kUnsigned, 4, 1},
    {"s8", S8, 2, Kind::kSigned, 8, 1},
    {"u8", U8, 6, Kind::kUnsigned, 8, 1},
    {"s16", S16, 3, Kind::kSigned, 16, 2},
    {"u16", U16, 7, Kind::kUnsigned, 16, 2},
    {"s32", S32, 4, Kind::kSigned, 32, 4},
    {"u32", U32, 8, Kind::kUnsigned, 32, 4},
    {"s64", S64, 5, Kind::kSigned, 64, 8},
    {"u64", U64, 9, Kind::kUnsigned, 64, 8},
    {"f16", F16, 10, Kind::kFloat, 16, 2},
    {"bf16", BF16, 16, Kind::kFloat, 16, 2},
    {"f32", F32, 11, Kind::kFloat, 32, 4},
    {"f64", F64, 12, Kind::kFloat, 64, 8},
    {"c64", C64, 15, Kind::kComplex, 64, 8},
    {"c128", C128, 18, Kind::kComplex, 128, 16},
    {"tuple", TUPLE, 13, Kind::kNone, 0, 0, false},
    {"opaque", OPAQUE_TYPE, 14, Kind::kNone, 0, 0},
    {"token", TOKEN, 17, Kind::kNone, 0, 0},
    {"buffer", BUFFER, 34, Kind::kNone, 0, 0, false},
    {"f8e5m2", F8E5M2, 19, Kind::kFloat, 8, 1},
    {"f8e4m3fn", F8E4M3FN, 20, Kind::kFloat, 8, 1},
    {"f8e4m3b11fnuz", F8E4M3B11FNUZ, 23, Kind::kFloat, 8, 1},
    {"f8e5m2fnuz", F8E5M2FNUZ, 24, Kind::kFloat, 8, 1},
    {"f8e4m3fnuz", F8E4M3FNUZ, 25, Kind::kFloat, 8, 1},
    {"f8e4m3", F8E4M3, 28, Kind::kFloat, 8, 1},
    {"f8e3m4", F8E3M4, 29, Kind::kFloat, 8, 1},
    {"f4e2m1fn", F4E2M1FN, 32, Kind::kFloat, 4, 1},
    {"f8e8m0fnu", F8E8M0FNU, 33, Kind::kFloat, 8, 1},
    {"f6e3m2fn", F6E3M2FN, 35, Kind::kFloat, 6, 1},
    {"f6e2m3fn", F6E2M3FN, 36, Kind::kFloat, 6, 1},
};

}  // namespace

TEST_CASE("primitive type: every number of the proto is listed") {
  STATIC_REQUIRE(std::size(kExpected) == kPrimitiveTypeCount);
  for (int number = 0; number < kPrimitiveTypeCount; ++number) {
    INFO(number);
    CHECK(std::ranges::count(kExpected, number, &Expected::number) == 1);
  }
}

TEST_CASE("primitive type: name, number and width") {
  for (const Expected& row : kExpected) {
    INFO(row.name);
    CHECK(static_cast<int>(row.type) == row.number);
    CHECK(PrimitiveTypeName(row.type) == row.name);
    CHECK(BitWidth(row.type) == row.bits);
    CHECK(StorageBytes(row.type) == row.storage_bytes);
  }
}

TEST_CASE("primitive type: a reserved word names its type, any other word none") {
  for (const Expected& row : kExpected) {
    INFO(row.name);
    CHECK(PrimitiveTypeFromName(row.name) == (row.reserved ? std::optional(row.type) : std::nullopt));
  }
  for (std::string_view word : {"", "F32", "f32 ", "f", "f320", "f8", "f8e4m3fnu", "s3", "bool", "float"}) {
    INFO(word);
    CHECK(PrimitiveTypeFromName(word) == std::nullopt);
  }
}

TEST_CASE("primitive type: categories do not overlap") {
  for (const Expected& row : kExpected) {
    INFO(row.name);
    CHECK(IsArrayType(row.type) == (row.kind != Kind::kNone));
    CHECK(IsSignedIntegralType(row.type) == (row.kind == Kind::kSigned));
    CHECK(IsUnsignedIntegralType(row.type) == (row.kind == Kind::kUnsigned));
    CHECK(IsIntegralType(row.type) == (row.kind == Kind::kSigned || row.kind == Kind::kUnsigned));
    CHECK(IsFloatingPointType(row.type) == (row.kind == Kind::kFloat));
    CHECK(IsComplexType(row.type) == (row.kind == Kind::kComplex));
  }
}

TEST_CASE("primitive type: array types come in the order of their numbers") {
  const auto types = ArrayTypes();
  CHECK(std::ranges::is_sorted(types));
  for (const Expected& row : kExpected) {
    INFO(row.name);
    CHECK(std::ranges::count(types, row.type) == (row.kind == Kind::kNone ? 0 : 1));
  }
}

TEST_CASE("primitive type: complex types and their components") {
  CHECK(ComplexComponentType(C64) == F32);
  CHECK(ComplexComponentType(C128) == F64);
  CHECK(ComplexComponentType(BF16) == BF16);
  CHECK(ComplexTypeOf(F32) == C64);
  CHECK(ComplexTypeOf(F64) == C128);
  CHECK(ComplexTypeOf(F16) == PRIMITIVE_TYPE_INVALID);
}
