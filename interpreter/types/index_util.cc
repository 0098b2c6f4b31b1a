#include "interpreter/types/index_util.h"

namespace assay {
namespace {

std::int64_t LinearIndex(std::span<const std::int64_t> index, std::span<const std::int64_t> widths) {
  std::int64_t linear = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) linear = linear * widths[i] + index[i];
  return linear;
}

// Returns the multidimensional index: the inverse of LinearIndex. An index beyond the widths overflows into the most
// major dimension.
std::vector<std::int64_t> MultiIndex(std::int64_t linear, std::span<const std::int64_t> widths) {
  std::vector<std::int64_t> index(widths.size(), 0);
  for (std::size_t i = widths.size(); i-- > 1;) {
    index[i] = linear % widths[i];
    linear /= widths[i];
  }
  if (!index.empty()) index[0] = linear;
  return index;
}

bool IsInside(std::span<const std::int64_t> index, std::span<const std::int64_t> widths) {
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (index[i] >= widths[i]) return false;
  }
  return true;
}

}  // namespace

PhysicalLayout::PhysicalLayout(const Shape& shape) {
  const Layout layout = shape.has_layout() ? shape.layout() : LayoutUtil::GetDefaultLayoutForRank(shape.rank());
  minor_to_major_ = layout.minor_to_major;
  for (auto it = minor_to_major_.rbegin(); it != minor_to_major_.rend(); ++it) {
    widths_.push_back(layout.padded_dimensions.empty() ? shape.dimensions(*it) : layout.padded_dimensions[*it]);
  }
  for (const Tile& tile : layout.tiles) AddLevel(tile);
  const std::int64_t alignment = layout.tail_padding_alignment_in_elements;
  // No sum exceeds the product, which a valid shape bounds.
  buffer_elements_ = (Product(widths_) + (alignment - 1)) / alignment * alignment;
}

// Adds a level. It merges each combined dimension ("*") into the next more minor one, then splits each of the most
// minor dimensions d into ceil(d / t) tiles and t elements of a tile, which become the most minor dimensions.
void PhysicalLayout::AddLevel(const Tile& tile) {
  Level level;
  level.widths = widths_;
  const std::size_t tile_rank = tile.dimensions.size();
  level.prepended = tile_rank > widths_.size() ? tile_rank - widths_.size() : 0;
  widths_.insert(widths_.begin(), level.prepended, 1);
  const std::size_t first = widths_.size() - tile_rank;
  level.merged_widths.assign(widths_.begin(), widths_.begin() + first);
  std::int64_t merged = 1;
  for (std::size_t i = 0; i < tile_rank; ++i) {
    level.combined.push_back(tile.dimensions[i] == Tile::kCombineDimension);
    merged *= widths_[first + i];
    if (level.combined.back()) continue;
    level.merged_widths.push_back(merged);
    level.tile.push_back(tile.dimensions[i]);
    merged = 1;
  }
  widths_ = level.merged_widths;
  for (std::size_t i = 0; i < level.tile.size(); ++i) {
    std::int64_t& width = widths_[first + i];
    width = (width + (level.tile[i] - 1)) / level.tile[i];
  }
  widths_.insert(widths_.end(), level.tile.begin(), level.tile.end());
  levels_.push_back(std::move(level));
}

std::int64_t PhysicalLayout::Offset(std::span<const std::int64_t> multi_index) const {
  std::vector<std::int64_t> index;
  for (auto it = minor_to_major_.rbegin(); it != minor_to_major_.rend(); ++it) index.push_back(multi_index[*it]);
  for (const Level& level : levels_) {
    std::vector<std::int64_t> widths = level.widths;
    widths.insert(widths.begin(), level.prepended, 1);
    index.insert(index.begin(), level.prepended, 0);
    const std::size_t first = widths.size() - level.combined.size();
    std::vector<std::int64_t> tiled(index.begin(), index.begin() + first);
    std::vector<std::int64_t> within;
    std::int64_t merged = 0;
    for (std::size_t i = 0; i < level.combined.size(); ++i) {
      merged = merged * widths[first + i] + index[first + i];
      if (level.combined[i]) continue;
      const std::int64_t size = level.tile[within.size()];
      tiled.push_back(merged / size);
      within.push_back(merged % size);
      merged = 0;
    }
    tiled.insert(tiled.end(), within.begin(), within.end());
    index = std::move(tiled);
  }
  return LinearIndex(index, widths_);
}

std::optional<std::vector<std::int64_t>> PhysicalLayout::Index(std::int64_t offset) const {
  if (offset >= Product(widths_)) return std::nullopt;
  std::vector<std::int64_t> index = MultiIndex(offset, widths_);
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    const std::size_t first = level->merged_widths.size() - level->tile.size();
    for (std::size_t i = 0; i < level->tile.size(); ++i) {
      index[first + i] = index[first + i] * level->tile[i] + index[first + level->tile.size() + i];
    }
    index.resize(level->merged_widths.size());
    if (!IsInside(index, level->merged_widths)) return std::nullopt;
    // Splitting the merged dimensions is the inverse of merging them: they keep their row-major order.
    index = MultiIndex(LinearIndex(index, level->merged_widths), level->widths);
  }
  std::vector<std::int64_t> multi_index(index.size());
  for (std::size_t i = 0; i < index.size(); ++i) multi_index[minor_to_major_[index.size() - 1 - i]] = index[i];
  return multi_index;
}

namespace IndexUtil {

std::int64_t MultidimensionalIndexToLinearIndex(const Shape& shape, std::span<const std::int64_t> multi_index) {
  return PhysicalLayout(shape).Offset(multi_index);
}

std::vector<std::int64_t> LinearIndexToMultidimensionalIndex(const Shape& shape, std::int64_t linear_index) {
  return PhysicalLayout(shape).Index(linear_index).value_or(shape.dimensions());
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
