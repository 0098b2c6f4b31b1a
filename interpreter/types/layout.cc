#include "interpreter/types/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/types/join_text.h"

namespace assay {

bool Layout::has_properties() const {
  return !tiles.empty() || tail_padding_alignment_in_elements != 1 || index_primitive_type != PRIMITIVE_TYPE_INVALID ||
         pointer_primitive_type != PRIMITIVE_TYPE_INVALID || element_size_in_bits != 0 || memory_space != 0 ||
         !split_configs.empty() || dynamic_shape_metadata_prefix_bytes != 0;
}

namespace LayoutUtil {

Layout MakeLayout(std::vector<std::int64_t> minor_to_major) {
  Layout layout;
  layout.minor_to_major = std::move(minor_to_major);
  return layout;
}

Layout GetDefaultLayoutForRank(std::int64_t rank) {
  std::vector<std::int64_t> minor_to_major(rank);
  for (std::int64_t i = 0; i < rank; ++i) minor_to_major[i] = rank - 1 - i;
  return MakeLayout(std::move(minor_to_major));
}

std::string ToString(const Layout& layout) {
  std::string text = fmt::format("{{{}", JoinText(layout.minor_to_major, ","));
  if (!layout.has_properties()) return text + "}";
  text += ":";
  if (!layout.tiles.empty()) text += "T";
  for (const Tile& tile : layout.tiles) {
    text += "(";
    for (std::size_t i = 0; i < tile.dimensions.size(); ++i) {
      if (i > 0) text += ",";
      text += tile.dimensions[i] == Tile::kCombineDimension ? "*" : std::to_string(tile.dimensions[i]);
    }
    text += ")";
  }
  if (layout.tail_padding_alignment_in_elements != 1) {
    text += fmt::format("L({})", layout.tail_padding_alignment_in_elements);
  }
  if (layout.index_primitive_type != PRIMITIVE_TYPE_INVALID) {
    text += fmt::format("#({})", PrimitiveTypeName(layout.index_primitive_type));
  }
  if (layout.pointer_primitive_type != PRIMITIVE_TYPE_INVALID) {
    text += fmt::format("*({})", PrimitiveTypeName(layout.pointer_primitive_type));
  }
  if (layout.element_size_in_bits != 0) text += fmt::format("E({})", layout.element_size_in_bits);
  if (layout.memory_space != 0) text += fmt::format("S({})", layout.memory_space);
  if (!layout.split_configs.empty()) text += "SC";
  for (const SplitConfig& split : layout.split_configs) {
    text += fmt::format("({}:{})", split.dimension, JoinText(split.split_indices, ","));
  }
  if (layout.dynamic_shape_metadata_prefix_bytes != 0) {
    text += fmt::format("M({})", layout.dynamic_shape_metadata_prefix_bytes);
  }
  return text + "}";
}

bool IsPermutation(const std::vector<std::int64_t>& minor_to_major) {
  std::vector<bool> seen(minor_to_major.size(), false);
  for (std::int64_t dimension : minor_to_major) {
    if (dimension < 0 || dimension >= static_cast<std::int64_t>(seen.size()) || seen[dimension]) return false;
    seen[dimension] = true;
  }
  return true;
}

bool IsMonotonicWithDim0Minor(const Layout& layout) { return std::ranges::is_sorted(layout.minor_to_major); }

bool IsMonotonicWithDim0Major(const Layout& layout) {
  return std::ranges::is_sorted(layout.minor_to_major, std::ranges::greater{});
}

}  // namespace LayoutUtil
}  // namespace assay
