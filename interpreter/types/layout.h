// The memory layout of an array: minor-to-major order, padding, tiles, and the other properties of XLA's layout text
// (XLA, Shapes and Layout).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/types/primitive_type.h"

namespace assay {

// One tile level, "(8,128)" in text. kCombineDimension is written "*".
struct Tile {
  static constexpr std::int64_t kCombineDimension = INT64_MIN;
  std::vector<std::int64_t> dimensions;
  bool operator==(const Tile&) const = default;
};

// "SC(dim:i,j)" in text.
struct SplitConfig {
  std::int64_t dimension = 0;
  std::vector<std::int64_t> split_indices;
  bool operator==(const SplitConfig&) const = default;
};

// The value in the padding cells of a layout (XLA, Shapes and Layout).
enum class PaddingValue { kInvalid, kZero, kOne, kLowest, kHighest, kUnknown };

struct Layout {
  // A permutation of 0..rank-1; the first entry is the dimension that varies fastest in memory.
  std::vector<std::int64_t> minor_to_major;
  // The width to which each dimension is padded: empty, or one entry per dimension, none below the dimension.
  std::vector<std::int64_t> padded_dimensions;
  PaddingValue padding_value = PaddingValue::kInvalid;

  // The properties after ':' in text, in the order in which they are printed.
  std::vector<Tile> tiles;
  std::int64_t tail_padding_alignment_in_elements = 1;  // L(n)
  PrimitiveType index_primitive_type = PRIMITIVE_TYPE_INVALID;
  PrimitiveType pointer_primitive_type = PRIMITIVE_TYPE_INVALID;
  std::int64_t element_size_in_bits = 0;  // E(n); 0: the type's own storage size
  std::int64_t memory_space = 0;          // S(n)
  std::vector<SplitConfig> split_configs;
  std::int64_t dynamic_shape_metadata_prefix_bytes = 0;  // M(n)

  // True if a property other than minor_to_major is set, so that the text has a part after ':'.
  bool has_properties() const;
  bool operator==(const Layout&) const = default;
};

namespace LayoutUtil {

Layout MakeLayout(std::vector<std::int64_t> minor_to_major);
// Returns rank-1, ..., 0: "dimension order is major-to-minor" (XLA, Shapes and Layout: default layout).
Layout GetDefaultLayoutForRank(std::int64_t rank);
// Returns "{1,0:T(8,128)S(1)}"; "{}" for rank 0 without properties.
std::string ToString(const Layout& layout);
bool IsPermutation(const std::vector<std::int64_t>& minor_to_major);
// True if minor_to_major is 0, 1, ..., N-1: "dim 0 is minor", column-major at rank 2.
bool IsMonotonicWithDim0Minor(const Layout& layout);
// True if minor_to_major is N-1, ..., 0: "dim 0 is major", row-major at rank 2.
bool IsMonotonicWithDim0Major(const Layout& layout);

}  // namespace LayoutUtil
}  // namespace assay
