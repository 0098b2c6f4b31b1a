#include <string>

#include "interpreter/types/shape.h"
#include "spec_tests/catch.h"

using namespace assay;

namespace {

std::string Rejected(const Shape& shape, ErrorCode code = ErrorCode::kIllegal) {
  const Status status = ShapeUtil::ValidateShape(shape);
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().code == code);
  return status.error().message;
}

Shape WithTiles(std::vector<Tile> tiles) {
  Shape shape = ShapeUtil::MakeShape(F32, {3, 5});
  shape.mutable_layout().tiles = std::move(tiles);
  return shape;
}

}  // namespace

TEST_CASE("shape validation: legal shapes") {
  CHECK(ShapeUtil::ValidateShape(ShapeUtil::MakeScalarShape(PRED)).has_value());
  CHECK(ShapeUtil::ValidateShape(ShapeUtil::MakeShape(F32, {0, INT64_MAX})).has_value());
  CHECK(ShapeUtil::ValidateShape(ShapeUtil::MakeShape(F32, {4}, {true})).has_value());
  CHECK(ShapeUtil::ValidateShape(ShapeUtil::MakeTokenShape()).has_value());
  CHECK(ShapeUtil::ValidateShape(WithTiles({{{2, 2}}, {{Tile::kCombineDimension, 4}}})).has_value());
  const Shape inner = ShapeUtil::MakeTupleShape({ShapeUtil::MakeTokenShape(), ShapeUtil::MakeShape(S4, {2})});
  CHECK(ShapeUtil::ValidateShape(ShapeUtil::MakeTupleShape({inner, ShapeUtil::MakeTupleShape({})})).has_value());
}

TEST_CASE("shape validation: sizes") {
  CHECK(Rejected(Shape()) == "invalid[]: a shape must have an element type");
  CHECK(Rejected(ShapeUtil::MakeShape(F32, {2, -1})) == "f32[2,-1] has a dimension without a size: dimension 1");
  CHECK(Rejected(ShapeUtil::MakeShape(F32, {0, -1})) == "f32[0,-1] has a dimension without a size: dimension 1");
  CHECK(Rejected(ShapeUtil::MakeShape(F32, {Shape::kUnboundedSize})) ==
        "f32[?] has a dimension without a size: dimension 0");
  const std::int64_t half = std::int64_t{1} << 32;
  CHECK(Rejected(ShapeUtil::MakeShape(U8, {half, half}), ErrorCode::kLimit) ==
        "the number of elements of u8[4294967296,4294967296] does not fit 63 bits");
  CHECK(Rejected(ShapeUtil::MakeShape(F64, {half, half / 8}), ErrorCode::kLimit) ==
        "the byte size of f64[4294967296,536870912] does not fit 63 bits");
  // One element of a tuple is too large; then only the sum of both elements is.
  const Shape large = ShapeUtil::MakeShape(U8, {half, half / 4});
  CHECK(ShapeUtil::ValidateShape(large).has_value());
  Rejected(ShapeUtil::MakeTupleShape({ShapeUtil::MakeShape(U8, {half, half})}), ErrorCode::kLimit);
  Rejected(ShapeUtil::MakeTupleShape({large, large}), ErrorCode::kLimit);
}

TEST_CASE("shape validation: tiles") {
  CHECK(Rejected(WithTiles({{{2, 0}}})) == "f32[3,5]{1,0:T(2,0)}: tile sizes must be positive, found 0");
  CHECK(Rejected(WithTiles({{{}}})) == "f32[3,5]{1,0:T()}: a tile must have at least one dimension");
  CHECK(Rejected(WithTiles({{{2, Tile::kCombineDimension}}})) ==
        "f32[3,5]{1,0:T(2,*)}: the last dimension of a tile cannot be combined with a more minor one");
  Rejected(WithTiles({{{INT64_MAX / 4, 2}}}), ErrorCode::kLimit);
}

TEST_CASE("shape validation: tail padding and element size") {
  Shape shape = ShapeUtil::MakeShape(S4, {3});
  shape.mutable_layout().tail_padding_alignment_in_elements = 0;
  CHECK(Rejected(shape) == "s4[3]{0:L(0)}: the tail padding alignment must be positive");
  shape.mutable_layout().tail_padding_alignment_in_elements = INT64_MAX;
  Rejected(shape, ErrorCode::kLimit);
  shape.mutable_layout().tail_padding_alignment_in_elements = 1;
  shape.mutable_layout().element_size_in_bits = -4;
  CHECK(Rejected(shape) == "s4[3]{0:E(-4)}: the element size in bits cannot be negative");
}
