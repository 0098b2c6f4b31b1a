// The examples of XLA, Shapes and Layout, in the order of the text. Each case is named after its section.
#include <string>
#include <vector>

#include "interpreter/types/buffer.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/layout.h"
#include "interpreter/types/shape.h"
#include "spec_tests/catch.h"

using namespace assay;

namespace {

using Index = std::vector<std::int64_t>;

// The array of the page's layout examples: dimension 0 has size 2, dimension 1 size 3.
//   a b c
//   d e f
Literal Letters() {
  return LiteralUtil::Create<std::uint8_t>(U8, {2, 3}, std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e', 'f'});
}

// The buffer in the page's notation: letters, 0 for a cell that holds the value zero.
std::string Memory(const Shape& shape) {
  const auto buffer = ToBuffer(Letters(), shape);
  REQUIRE(buffer.has_value());
  std::string text;
  for (std::byte value : *buffer) {
    if (!text.empty()) text += ' ';
    text += value == std::byte{0} ? '0' : static_cast<char>(value);
  }
  return text;
}

Shape WithLayout(Layout layout) {
  Shape shape = ShapeUtil::MakeShape(U8, {2, 3});
  shape.set_layout(std::move(layout));
  return shape;
}

// Column-major, widths 3 and 5.
Shape Padded() {
  Layout layout = LayoutUtil::MakeLayout({0, 1});
  layout.padded_dimensions = {3, 5};
  layout.padding_value = PaddingValue::kZero;
  return WithLayout(layout);
}

}  // namespace

TEST_CASE("shapes and layout: Terminology - rank and true rank") {
  CHECK(ShapeUtil::MakeShape(F32, {}).rank() == 0);
  CHECK(ShapeUtil::MakeShape(F32, {2, 1, 3}).rank() == 3);
  // The true rank counts the dimensions larger than 1.
  CHECK(ShapeUtil::TrueRank(ShapeUtil::MakeShape(F32, {2, 1, 3})) == 2);
  CHECK(ShapeUtil::TrueRank(ShapeUtil::MakeShape(F32, {1, 1, 1})) == 0);
  CHECK(ShapeUtil::TrueRank(ShapeUtil::MakeShape(F32, {})) == 0);
  CHECK(ShapeUtil::TrueRank(ShapeUtil::MakeShape(F32, {0, 2})) == 1);
}

TEST_CASE("shapes and layout: Terminology - dimensions are numbered from 0 to N-1") {
  // [A x B x C]
  const Shape shape = ShapeUtil::MakeShape(F32, {5, 6, 7});
  CHECK(shape.dimensions(0) == 5);
  CHECK(shape.dimensions(1) == 6);
  CHECK(shape.dimensions(2) == 7);
  CHECK_FALSE(ShapeUtil::GetDimension(shape, 3).has_value());
}

TEST_CASE("shapes and layout: Terminology - negative dimension numbers count from the end") {
  const Shape shape = ShapeUtil::MakeShape(F32, {5, 6, 7});
  CHECK(*ShapeUtil::GetDimension(shape, -1) == 7);
  CHECK(*ShapeUtil::GetDimension(shape, -2) == 6);
  CHECK(*ShapeUtil::GetDimension(shape, -3) == 5);
  CHECK(*ShapeUtil::GetDimensionNumber(shape, -1) == 2);
  const auto outside = ShapeUtil::GetDimension(shape, -4);
  REQUIRE_FALSE(outside.has_value());
  CHECK(outside.error().message == "dimension number -4 is outside [-3, 3) of f32[5,6,7]");
}

TEST_CASE("shapes and layout: Terminology - the letters of two, three and four dimensional arrays") {
  // y and x; z, y and x; p, z, y and x: x is always the last dimension, y the one before it, and so on outward.
  for (std::int64_t rank : {2, 3, 4}) {
    Dimensions sizes;
    for (std::int64_t i = 0; i < rank; ++i) sizes.push_back(10 * (rank - i));  // x = 10, y = 20, z = 30, p = 40
    const Shape shape = ShapeUtil::MakeShape(F32, sizes);
    CHECK(*ShapeUtil::GetDimension(shape, -1) == 10);
    CHECK(*ShapeUtil::GetDimension(shape, -2) == 20);
    CHECK(shape.dimensions(0) == 10 * rank);
  }
}

TEST_CASE("shapes and layout: Terminology - MakeShape(F32, {A, B, C, D})") {
  const Shape shape = ShapeUtil::MakeShape(F32, {2, 3, 5, 7});
  CHECK(shape.element_type() == F32);
  CHECK(shape.dimensions() == Dimensions{2, 3, 5, 7});
  CHECK(shape.ToString() == "f32[2,3,5,7]{3,2,1,0}");
}

TEST_CASE("shapes and layout: Minor-to-major dimension order - [0, 1] is column-major") {
  const Shape shape = WithLayout(LayoutUtil::MakeLayout({0, 1}));
  CHECK(Memory(shape) == "a d b e c f");
  CHECK(LayoutUtil::IsMonotonicWithDim0Minor(shape.layout()));
  CHECK_FALSE(LayoutUtil::IsMonotonicWithDim0Major(shape.layout()));
}

TEST_CASE("shapes and layout: Minor-to-major dimension order - [1, 0] is row-major") {
  const Shape shape = WithLayout(LayoutUtil::MakeLayout({1, 0}));
  CHECK(Memory(shape) == "a b c d e f");
  CHECK(LayoutUtil::IsMonotonicWithDim0Major(shape.layout()));
  CHECK_FALSE(LayoutUtil::IsMonotonicWithDim0Minor(shape.layout()));
}

TEST_CASE("shapes and layout: Minor-to-major dimension order - a permutation of 0..N-1") {
  for (const Index& wrong : {Index{}, Index{0}, Index{0, 0}, Index{1, 2}, Index{-1, 0}, Index{2, 1, 0}}) {
    const auto status = ShapeUtil::ValidateShape(WithLayout(LayoutUtil::MakeLayout(wrong)));
    REQUIRE_FALSE(status.has_value());
    CHECK(status.error().message.find("minor_to_major must ") != std::string::npos);
  }
}

TEST_CASE("shapes and layout: Default minor-to-major ordering - row-major") {
  CHECK(LayoutUtil::GetDefaultLayoutForRank(4).minor_to_major == Index{3, 2, 1, 0});
  CHECK(ShapeUtil::MakeShape(U8, {2, 3}).layout().minor_to_major == Index{1, 0});
  CHECK(Memory(ShapeUtil::MakeShape(U8, {2, 3})) == "a b c d e f");
}

TEST_CASE("shapes and layout: Padding - [2 x 3] padded to [3, 5], value 0, column-major") {
  CHECK(Memory(Padded()) == "a d 0 b e 0 c f 0 0 0 0 0 0 0");
}

TEST_CASE("shapes and layout: Padding - equivalent to the padded array") {
  // a b c 0 0
  // d e f 0 0
  // 0 0 0 0 0
  const Literal padded = LiteralUtil::Create<std::uint8_t>(
      U8, {3, 5}, std::vector<std::uint8_t>{'a', 'b', 'c', 0, 0, 'd', 'e', 'f', 0, 0, 0, 0, 0, 0, 0});
  const auto buffer = ToBuffer(padded, ShapeUtil::MakeShapeWithLayout(U8, {3, 5}, {0, 1}));
  REQUIRE(buffer.has_value());
  CHECK(*buffer == *ToBuffer(Letters(), Padded()));
}

TEST_CASE("shapes and layout: Padding - one width a dimension, none below the dimension") {
  Shape too_few = Padded();
  too_few.mutable_layout().padded_dimensions = {3};
  CHECK(ShapeUtil::ValidateShape(too_few).error().message ==
        "u8[2,3]{0,1}: padded_dimensions must have one width a dimension: expected 2, found 1");
  Shape too_narrow = Padded();
  too_narrow.mutable_layout().padded_dimensions = {3, 2};
  CHECK(ShapeUtil::ValidateShape(too_narrow).error().message ==
        "u8[2,3]{0,1}: dimension 1 of size 3 cannot be padded to the smaller width 2");
}

TEST_CASE("shapes and layout: Indexing into arrays - multidimensional to linear and back") {
  const Shape column_major = WithLayout(LayoutUtil::MakeLayout({0, 1}));
  const Shape row_major = WithLayout(LayoutUtil::MakeLayout({1, 0}));
  // "e" is element (1, 1); its places are read off the three rows of letters above.
  CHECK(IndexUtil::MultidimensionalIndexToLinearIndex(column_major, Index{1, 1}) == 3);
  CHECK(IndexUtil::MultidimensionalIndexToLinearIndex(row_major, Index{1, 1}) == 4);
  CHECK(IndexUtil::MultidimensionalIndexToLinearIndex(Padded(), Index{1, 1}) == 4);
  CHECK(IndexUtil::MultidimensionalIndexToLinearIndex(Padded(), Index{1, 2}) == 7);
  CHECK(IndexUtil::LinearIndexToMultidimensionalIndex(column_major, 3) == Index{1, 1});
  CHECK(IndexUtil::LinearIndexToMultidimensionalIndex(row_major, 4) == Index{1, 1});
  CHECK(IndexUtil::LinearIndexToMultidimensionalIndex(Padded(), 7) == Index{1, 2});
  // A cell of padding has an index outside the dimensions.
  CHECK(IndexUtil::LinearIndexToMultidimensionalIndex(Padded(), 8) == Index{2, 2});
}
