// Offsets in tiled layouts against the worked examples of XLA, Tiled layout, and against its definition of a tiling as
// pad, reshape and transpose. Every mapping is a bijection onto the cells that are not padding.
#include "interpreter/types/index_util.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "spec_tests/catch.h"
#include "spec_tests/property.h"

using namespace assay;
using namespace assay::testing;

namespace {

using Index = std::vector<std::int64_t>;
constexpr std::int64_t kCombine = Tile::kCombineDimension;

Shape Tiled(Dimensions dimensions, std::vector<Tile> tiles, Index minor_to_major = {}) {
  Shape shape = ShapeUtil::MakeShape(F32, std::move(dimensions));
  if (!minor_to_major.empty()) shape.set_layout(LayoutUtil::MakeLayout(std::move(minor_to_major)));
  shape.mutable_layout().tiles = std::move(tiles);
  return shape;
}

// Returns the buffer as row-major element numbers; -1 for padding.
Index BufferOf(const Shape& shape) {
  const PhysicalLayout physical(shape);
  const Index strides = RowMajorStrides(shape.dimensions());
  Index buffer;
  for (std::int64_t offset = 0; offset < physical.buffer_elements(); ++offset) {
    const auto index = physical.Index(offset);
    buffer.push_back(index ? std::inner_product(index->begin(), index->end(), strides.begin(), std::int64_t{0}) : -1);
  }
  return buffer;
}

Shape AnyLayout() {
  const int rank = InRange(0, 5);
  Dimensions dimensions;
  for (int i = 0; i < rank; ++i) dimensions.push_back(InRange(1, 5));
  Shape shape = ShapeUtil::MakeShape(S32, dimensions);
  Index& minor_to_major = shape.mutable_layout().minor_to_major;
  for (int i = rank; i > 1; --i) std::swap(minor_to_major[i - 1], minor_to_major[InRange(0, i)]);
  if (Flip()) {
    for (std::int64_t& size : dimensions) size += InRange(0, 3);
    shape.mutable_layout().padded_dimensions = dimensions;
  }
  for (int levels = InRange(0, 3); levels > 0; --levels) {
    Tile tile;
    for (int i = InRange(0, 4); i > 0; --i) {
      tile.dimensions.push_back(InRange(0, 4) == 0 ? kCombine : InRange(1, 4));
    }
    tile.dimensions.push_back(InRange(1, 4));
    shape.mutable_layout().tiles.push_back(tile);
  }
  shape.mutable_layout().tail_padding_alignment_in_elements = OneOf({1, 1, 7});
  return shape;
}

}  // namespace

TEST_CASE("index util: f32[3,5] in tiles of 2x2") {
  const Shape shape = Tiled({3, 5}, {{{2, 2}}});
  CHECK(shape.ToString() == "f32[3,5]{1,0:T(2,2)}");
  // linear_index_with_tile((2,3), (3,5), (2,2)) = 17
  CHECK(IndexUtil::MultidimensionalIndexToLinearIndex(shape, Index{2, 3}) == 17);
  CHECK(IndexUtil::LinearIndexToMultidimensionalIndex(shape, 17) == Index{2, 3});
  // Figure 1: six tiles, the last column and the last row padded.
  const int p = -1;
  CHECK(BufferOf(shape) == Index{0, 1, 5, 6, 2, 3, 7, 8, 4, p, 9, p, 10, 11, p, p, 12, 13, p, p, 14, p, p, p});
}

TEST_CASE("index util: 4x8 in tiles of 2x4, again in tiles of 2x1") {
  const Shape shape = Tiled({4, 8}, {{{2, 4}}, {{2, 1}}});
  // Figure 2: each pair of vertical neighbours is adjacent in memory.
  CHECK(BufferOf(shape) == Index{0,  8,  1,  9,  2,  10, 3,  11, 4,  12, 5,  13, 6,  14, 7,  15,
                                 16, 24, 17, 25, 18, 26, 19, 27, 20, 28, 21, 29, 22, 30, 23, 31});
}

TEST_CASE("index util: f32[2,7,8,11,10] combined to [112,110] and tiled by 2x3") {
  const Shape combined = Tiled({2, 7, 8, 11, 10}, {{{kCombine, kCombine, 2, kCombine, 3}}});
  CHECK(combined.ToString() == "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}");
  CHECK(BufferOf(combined) == BufferOf(Tiled({112, 110}, {{{2, 3}}})));
  // 110 columns take 37 tiles of 3, 112 rows 56 tiles of 2.
  CHECK(PhysicalLayout(combined).buffer_elements() == 56 * 37 * 6);
}

TEST_CASE("index util: tiles of lower and of higher rank than the array") {
  // A tile of lower rank does not change the most major dimensions.
  CHECK(BufferOf(Tiled({2, 3}, {{{2}}})) == Index{0, 1, 2, -1, 3, 4, 5, -1});
  // A tile of higher rank adds major dimensions of size 1: a row of 2x2 tiles with an empty second row.
  CHECK(BufferOf(Tiled({3}, {{{2, 2}}})) == Index{0, 1, -1, -1, 2, -1, -1, -1});
  CHECK(BufferOf(Tiled({}, {{{3}}})) == Index{0, -1, -1});
  // A second tile that does not divide the first pads inside it: no cell may appear twice.
  CHECK(BufferOf(Tiled({6}, {{{3}}, {{2}}})) == Index{0, 1, 2, -1, 3, 4, 5, -1});
}

TEST_CASE("index util: physical order follows minor_to_major before it is tiled") {
  CHECK(BufferOf(Tiled({2, 3}, {{{2, 2}}}, {0, 1})) == Index{0, 3, 1, 4, 2, 5, -1, -1});
}

TEST_CASE("index util: tail padding and empty arrays") {
  Shape shape = ShapeUtil::MakeShape(F32, {5});
  shape.mutable_layout().tail_padding_alignment_in_elements = 4;
  CHECK(BufferOf(shape) == Index{0, 1, 2, 3, 4, -1, -1, -1});
  CHECK(PhysicalLayout(ShapeUtil::MakeShape(F32, {0, 3})).buffer_elements() == 0);
}

TEST_CASE("index util: a buffer of as many bytes as a number can count") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(PhysicalLayout(ShapeUtil::MakeShape(PRED, {kMost})).buffer_elements() == kMost);
  CHECK(PhysicalLayout(Tiled({kMost}, {{{1}}}, {0})).buffer_elements() == kMost);
}

TEST_CASE("index util: offsets are a bijection for any layout") {
  Holds([] {
    const Shape shape = AnyLayout();
    ENSURE(ShapeUtil::ValidateShape(shape).has_value());
    const PhysicalLayout physical(shape);
    std::set<std::int64_t> used;
    Index index(shape.rank(), 0);
    do {
      const std::int64_t offset = physical.Offset(index);
      ENSURE(offset >= 0 && offset < physical.buffer_elements());
      ENSURE(physical.Index(offset) == index);
      used.insert(offset);
    } while (IndexUtil::BumpIndices(shape.dimensions(), index));
    ENSURE(static_cast<std::int64_t>(used.size()) == ShapeUtil::ElementsIn(shape));
    for (std::int64_t offset = 0; offset < physical.buffer_elements(); ++offset) {
      if (used.contains(offset)) continue;
      const Index outside = physical.Index(offset).value_or(shape.dimensions());
      bool is_inside = !outside.empty();
      for (std::int64_t i = 0; i < shape.rank(); ++i) is_inside = is_inside && outside[i] < shape.dimensions(i);
      ENSURE(!is_inside);
    }
  });
}

TEST_CASE("index util: one level of tiles is pad, reshape, transpose") {
  Holds([] {
    const int rank = InRange(1, 4);
    Dimensions dimensions;
    Tile tile;
    for (int i = 0; i < rank; ++i) {
      dimensions.push_back(InRange(1, 6));
      tile.dimensions.push_back(InRange(1, 4));
    }
    // The dimensions after the transpose: numbers of tiles, then tile sizes.
    Dimensions transposed;
    for (int i = 0; i < rank; ++i) transposed.push_back((dimensions[i] + tile.dimensions[i] - 1) / tile.dimensions[i]);
    transposed.insert(transposed.end(), tile.dimensions.begin(), tile.dimensions.end());
    const Index strides = RowMajorStrides(dimensions);
    Index expected;
    Index at(transposed.size(), 0);
    do {
      std::int64_t element = 0;
      for (int i = 0; i < rank; ++i) {
        const std::int64_t position = at[i] * tile.dimensions[i] + at[rank + i];
        element = position >= dimensions[i] || element < 0 ? -1 : element + position * strides[i];
      }
      expected.push_back(element);
    } while (IndexUtil::BumpIndices(transposed, at));
    ENSURE(BufferOf(Tiled(dimensions, {tile})) == expected);
  });
}
