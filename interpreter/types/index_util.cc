#include "interpreter/types/index_util.h"

namespace assay {
namespace {

// Widths, major to minor, of the physical array and the positions of an index in it, after every level of tiling.
struct Physical {
  std::vector<std::int64_t> widths;
  std::vector<std::int64_t> index;
};

// One level of tiling splits each of the most minor dimensions d into ceil(d / t) tiles of t; a combined dimension
// ("*") is first merged with the one that is next more minor.
void ApplyTile(const Tile& tile, Physical& physical) {
  auto& [widths, index] = physical;
  std::vector<std::int64_t> tile_dimensions = tile.dimensions;
  for (std::size_t i = 0; i < tile_dimensions.size();) {
    if (tile_dimensions[i] != Tile::kCombineDimension) {
      ++i;
      continue;
    }
    const std::size_t at = widths.size() - tile_dimensions.size() + i;
    index[at] = index[at] * widths[at + 1] + index[at + 1];
    widths[at] *= widths[at + 1];
    widths.erase(widths.begin() + at + 1);
    index.erase(index.begin() + at + 1);
    tile_dimensions.erase(tile_dimensions.begin() + i);
  }
  while (widths.size() < tile_dimensions.size()) {
    widths.insert(widths.begin(), 1);
    index.insert(index.begin(), 0);
  }
  const std::size_t first = widths.size() - tile_dimensions.size();
  for (std::size_t i = 0; i < tile_dimensions.size(); ++i) {
    const std::int64_t size = tile_dimensions[i];
    widths.push_back(size);
    index.push_back(index[first + i] % size);
    widths[first + i] = (widths[first + i] + size - 1) / size;
    index[first + i] /= size;
  }
}

Physical PhysicalIndex(const Shape& shape, std::span<const std::int64_t> multi_index) {
  const Layout layout = shape.has_layout() ? shape.layout() : LayoutUtil::GetDefaultLayoutForRank(shape.rank());
  Physical physical;
  for (auto it = layout.minor_to_major.rbegin(); it != layout.minor_to_major.rend(); ++it) {
    physical.widths.push_back(layout.padded_dimensions.empty() ? shape.dimensions(*it) : layout.padded_dimensions[*it]);
    physical.index.push_back(multi_index[*it]);
  }
  for (const Tile& tile : layout.tiles) ApplyTile(tile, physical);
  return physical;
}

bool IsTiled(const Shape& shape) { return shape.has_layout() && !shape.layout().tiles.empty(); }

}  // namespace

namespace IndexUtil {

std::int64_t MultidimensionalIndexToLinearIndex(const Shape& shape, std::span<const std::int64_t> multi_index) {
  const Physical physical = PhysicalIndex(shape, multi_index);
  std::int64_t linear = 0;
  for (std::size_t i = 0; i < physical.widths.size(); ++i) linear = linear * physical.widths[i] + physical.index[i];
  return linear;
}

std::vector<std::int64_t> LinearIndexToMultidimensionalIndex(const Shape& shape, std::int64_t linear_index) {
  std::vector<std::int64_t> multi_index(shape.rank(), 0);
  if (IsTiled(shape)) {
    // Tiling has no closed inverse here that stays readable: look the offset up.
    if (ShapeUtil::ElementsIn(shape) == 0) return multi_index;
    do {
      if (MultidimensionalIndexToLinearIndex(shape, multi_index) == linear_index) return multi_index;
    } while (BumpIndices(shape.dimensions(), multi_index));
    return shape.dimensions();
  }
  const Layout layout = shape.has_layout() ? shape.layout() : LayoutUtil::GetDefaultLayoutForRank(shape.rank());
  for (std::int64_t dimension : layout.minor_to_major) {
    const std::int64_t width =
        layout.padded_dimensions.empty() ? shape.dimensions(dimension) : layout.padded_dimensions[dimension];
    multi_index[dimension] = linear_index % width;
    linear_index /= width;
  }
  return multi_index;
}

std::int64_t BufferElements(const Shape& shape) {
  const Physical physical = PhysicalIndex(shape, std::vector<std::int64_t>(shape.rank(), 0));
  const std::int64_t elements = Product(physical.widths);
  const std::int64_t alignment = shape.has_layout() ? shape.layout().tail_padding_alignment_in_elements : 1;
  return (elements + alignment - 1) / alignment * alignment;
}

bool BumpIndices(std::span<const std::int64_t> dimensions, std::span<std::int64_t> indices) {
  for (std::size_t i = dimensions.size(); i-- > 0;) {
    if (++indices[i] < dimensions[i]) return true;
    indices[i] = 0;
  }
  return false;
}

}  // namespace IndexUtil

std::vector<std::int64_t> RowMajorStrides(std::span<const std::int64_t> dimensions) {
  std::vector<std::int64_t> strides(dimensions.size(), 1);
  for (std::size_t i = dimensions.size(); i-- > 1;) strides[i - 1] = strides[i] * dimensions[i];
  return strides;
}

std::int64_t Product(std::span<const std::int64_t> dimensions) {
  std::int64_t product = 1;
  for (std::int64_t size : dimensions) product *= size;
  return product;
}

}  // namespace assay
