#include "interpreter/types/buffer.h"

#include <algorithm>
#include <cstring>

#include "interpreter/types/index_util.h"
#include "spec_tests/catch.h"
#include "spec_tests/property.h"

using namespace assay;
using namespace assay::testing;

namespace {

std::vector<int> Bytes(const Result<std::vector<std::byte>>& buffer) {
  REQUIRE(buffer.has_value());
  std::vector<int> bytes;
  for (std::byte value : *buffer) bytes.push_back(std::to_integer<int>(value));
  return bytes;
}

// One element, one cell of padding.
Shape PaddedPair(PrimitiveType type, PaddingValue value) {
  Shape shape = ShapeUtil::MakeShape(type, {1});
  shape.mutable_layout().padded_dimensions = {2};
  shape.mutable_layout().padding_value = value;
  return shape;
}

// Returns the padding cell as an integer.
std::uint64_t PaddingOf(PrimitiveType type, PaddingValue value) {
  const Shape shape = PaddedPair(type, value);
  const auto buffer = ToBuffer(Literal(shape), shape);
  REQUIRE(buffer.has_value());
  std::uint64_t bits = 0;
  std::memcpy(&bits, buffer->data() + StorageBytes(type), std::min(8, StorageBytes(type)));
  return bits;
}

}  // namespace

TEST_CASE("buffer: types of several bytes are little-endian") {
  const Literal literal =
      LiteralUtil::Create<std::uint16_t>(U16, {2, 2}, std::vector<std::uint16_t>{0x0102, 0x0304, 0x0506, 0x0708});
  CHECK(Bytes(ToBuffer(literal, ShapeUtil::MakeShapeWithLayout(U16, {2, 2}, {0, 1}))) ==
        std::vector<int>{2, 1, 6, 5, 4, 3, 8, 7});
}

TEST_CASE("buffer: padding values") {
  using enum PaddingValue;
  CHECK(PaddingOf(F32, kOne) == 0x3F800000);
  CHECK(PaddingOf(F32, kLowest) == 0xFF800000);
  CHECK(PaddingOf(F32, kHighest) == 0x7F800000);
  CHECK(PaddingOf(F32, kZero) == 0);
  CHECK(PaddingOf(F32, kUnknown) == 0);
  CHECK(PaddingOf(BF16, kOne) == 0x3F80);
  CHECK(PaddingOf(F8E4M3FN, kLowest) == 0xFE);  // no infinity: -448
  CHECK(PaddingOf(F8E4M3FN, kHighest) == 0x7E);
  CHECK(PaddingOf(F8E4M3FNUZ, kOne) == 0x40);  // bias 8
  CHECK(PaddingOf(F8E8M0FNU, kOne) == 0x7F);
  CHECK(PaddingOf(F8E8M0FNU, kLowest) == 0x00);  // 2^-127
  CHECK(PaddingOf(F8E8M0FNU, kHighest) == 0xFE);
  CHECK(PaddingOf(S32, kLowest) == 0x80000000);
  CHECK(PaddingOf(S32, kHighest) == 0x7FFFFFFF);
  CHECK(PaddingOf(S4, kLowest) == 0xF8);  // sign-extended -8
  CHECK(PaddingOf(S4, kHighest) == 0x07);
  CHECK(PaddingOf(U2, kHighest) == 0x03);
  CHECK(PaddingOf(U64, kHighest) == UINT64_MAX);
  CHECK(PaddingOf(S64, kHighest) == INT64_MAX);
  CHECK(PaddingOf(PRED, kLowest) == 0);
  CHECK(PaddingOf(PRED, kHighest) == 1);
  CHECK(PaddingOf(C64, kOne) == 0x3F800000);  // real part 1, imaginary part 0
}

TEST_CASE("buffer: padding values that the type does not have") {
  const Shape scale = PaddedPair(F8E8M0FNU, PaddingValue::kZero);
  CHECK(ToBuffer(Literal(scale), scale).error().message == "f8e8m0fnu[1]{0}: the type has no zero to pad with");
  const Shape complex = PaddedPair(C64, PaddingValue::kHighest);
  CHECK(ToBuffer(Literal(complex), complex).error().message ==
        "c64[1]{0}: complex numbers have no lowest or highest value to pad with");
}

TEST_CASE("buffer: E(4) packs two elements a byte, the first in the low bits") {
  Shape shape = ShapeUtil::MakeShape(S4, {3});
  const Literal literal = LiteralUtil::Create<std::int8_t>(S4, {3}, std::vector<std::int8_t>{1, -2, 3});
  CHECK(Bytes(ToBuffer(literal, shape)) == std::vector<int>{0x01, 0xFE, 0x03});
  shape.mutable_layout().element_size_in_bits = 4;
  CHECK(Bytes(ToBuffer(literal, shape)) == std::vector<int>{0xE1, 0x03});
  const auto read = FromBuffer(*ToBuffer(literal, shape), shape);
  REQUIRE(read.has_value());
  CHECK(read->BitwiseEqual(literal));
  shape.mutable_layout().element_size_in_bits = 3;
  CHECK(ToBuffer(literal, shape).error().message == "s4[3]{0:E(3)}: an element takes between 4 and 8 bits, found E(3)");
}

TEST_CASE("buffer: wrong shapes and sizes are errors") {
  const Shape shape = ShapeUtil::MakeShape(F32, {2});
  CHECK(ToBuffer(Literal(ShapeUtil::MakeShape(F32, {3})), shape).error().message ==
        "f32[2]{0}: cannot hold a value of shape f32[3]");
  CHECK(ToBuffer(Literal(shape), ShapeUtil::MakeShape(S32, {2})).error().code == ErrorCode::kIllegal);
  CHECK(ToBuffer(Literal::MakeToken(), ShapeUtil::MakeTokenShape()).error().code == ErrorCode::kIllegal);
  const auto read = FromBuffer(std::vector<std::byte>(7), shape);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().code == ErrorCode::kInput);
  CHECK(read.error().message == "f32[2]{0}: expected a buffer of 8 bytes, found 7");
}

TEST_CASE("buffer: reading what was written gives the literal, bit for bit, in any layout") {
  Holds([] {
    const PrimitiveType type = OneOf(std::vector<PrimitiveType>{PRED, S2, U4, S8, BF16, F32, U64, C128});
    const int rank = InRange(0, 4);
    Dimensions dimensions;
    for (int i = 0; i < rank; ++i) dimensions.push_back(InRange(0, 5));
    Shape shape = ShapeUtil::MakeShape(type, dimensions);
    Layout& layout = shape.mutable_layout();
    for (int i = rank; i > 1; --i) std::swap(layout.minor_to_major[i - 1], layout.minor_to_major[InRange(0, i)]);
    for (std::int64_t& size : dimensions) size += InRange(0, 3);
    if (Flip()) layout.padded_dimensions = dimensions;
    layout.padding_value = OneOf({PaddingValue::kZero, PaddingValue::kOne, PaddingValue::kUnknown});
    if (Flip()) layout.tiles = {Tile{{InRange(1, 4), InRange(1, 4)}}};
    if (BitWidth(type) < 8 && Flip()) layout.element_size_in_bits = BitWidth(type);

    Literal literal(shape);
    const int bits = type == PRED ? 1 : std::min(8, BitWidth(type));
    for (std::int64_t i = 0; i < literal.byte_size(); ++i) {
      const int value = InRange(0, 1 << bits);
      const bool is_negative = IsSignedIntegralType(type) && bits < 8 && value >> (bits - 1) == 1;
      literal.mutable_data()[i] = static_cast<std::byte>(is_negative ? value - (1 << bits) : value);
    }
    const auto buffer = ToBuffer(literal, shape);
    ENSURE(buffer.has_value());
    const auto read = FromBuffer(*buffer, shape);
    ENSURE(read.has_value());
    ENSURE(read->BitwiseEqual(literal));
  });
}
