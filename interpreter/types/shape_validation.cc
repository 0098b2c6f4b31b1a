#include <fmt/format.h>

#include "interpreter/types/join_text.h"
#include "interpreter/types/shape.h"
#include "interpreter/types/small_array.h"

namespace assay {
namespace {

Error IllegalShape(const Shape& shape, std::string_view rule) {
  return Error{ErrorCode::kIllegal, fmt::format("{}: {}", shape.ToString(), rule)};
}

Status ValidateTile(const Shape& shape, const Tile& tile) {
  if (tile.dimensions.empty()) return IllegalShape(shape, "a tile must have at least one dimension");
  for (std::int64_t size : tile.dimensions) {
    if (size != Tile::kCombineDimension && size < 1) {
      return IllegalShape(shape, fmt::format("tile sizes must be positive, found {}", size));
    }
  }
  if (tile.dimensions.back() == Tile::kCombineDimension) {
    return IllegalShape(shape, "the last dimension of a tile cannot be combined with a more minor one");
  }
  return {};
}

// Checks that the buffer's size does not overflow. The widths are padded_dimensions, or the dimensions. Every width is
// rounded up to whole tiles at each level, so the product of the widths and of all tile sizes bounds the elements of
// the buffer.
Status ValidateBufferSize(const Shape& shape) {
  const Layout& layout = shape.layout();
  std::int64_t bound = StorageBytes(shape.element_type());
  bool overflow = false;
  for (std::int64_t i = 0; i < shape.rank(); ++i) {
    const std::int64_t width = layout.padded_dimensions.empty() ? shape.dimensions(i) : layout.padded_dimensions[i];
    if (width == 0) return {};
    overflow |= __builtin_mul_overflow(bound, width, &bound);
  }
  for (const Tile& tile : layout.tiles) {
    for (std::int64_t size : tile.dimensions) {
      if (size != Tile::kCombineDimension) overflow |= __builtin_mul_overflow(bound, size, &bound);
    }
  }
  overflow |= __builtin_mul_overflow(bound, layout.tail_padding_alignment_in_elements, &bound);
  if (!overflow) return {};
  return Error{ErrorCode::kLimit, fmt::format("{}: the padded byte size does not fit 63 bits", shape.ToString())};
}

Status ValidateLayout(const Shape& shape) {
  const Layout& layout = shape.layout();
  const auto rank = static_cast<std::size_t>(shape.rank());
  if (layout.minor_to_major.size() != rank) {
    return IllegalShape(shape, fmt::format("minor_to_major must have one entry a dimension: expected {}, found {}",
                                           rank, layout.minor_to_major.size()));
  }
  if (!LayoutUtil::IsPermutation(layout.minor_to_major)) {
    return IllegalShape(shape,
                        fmt::format("minor_to_major must be a permutation of the dimension numbers, found {{{}}}",
                                    JoinText(layout.minor_to_major, ",")));
  }
  if (!layout.padded_dimensions.empty() && layout.padded_dimensions.size() != rank) {
    return IllegalShape(shape, fmt::format("padded_dimensions must have one width a dimension: expected {}, found {}",
                                           rank, layout.padded_dimensions.size()));
  }
  for (std::size_t i = 0; i < layout.padded_dimensions.size(); ++i) {
    if (layout.padded_dimensions[i] < shape.dimensions(i)) {
      return IllegalShape(shape, fmt::format("dimension {} of size {} cannot be padded to the smaller width {}", i,
                                             shape.dimensions(i), layout.padded_dimensions[i]));
    }
  }
  for (const Tile& tile : layout.tiles) ASSAY_CHECK_OK(ValidateTile(shape, tile));
  if (layout.tail_padding_alignment_in_elements < 1) {
    return IllegalShape(shape, "the tail padding alignment must be positive");
  }
  if (layout.element_size_in_bits < 0) return IllegalShape(shape, "the element size in bits cannot be negative");
  return ValidateBufferSize(shape);
}

// Checks everything except the sum of the sizes.
Status ValidateParts(const Shape& shape) {
  if (shape.element_type() == PRIMITIVE_TYPE_INVALID) return IllegalShape(shape, "a shape must have an element type");
  for (const Shape& element : shape.tuple_shapes()) ASSAY_CHECK_OK(ValidateParts(element));
  if (!shape.IsArray() || !shape.has_layout()) return {};
  // The default layout is always valid and has no padding.
  if (shape.has_default_layout()) return {};
  const Result<std::int64_t> bytes = ShapeUtil::CheckedByteSizeOf(shape);
  return bytes ? ValidateLayout(shape) : bytes.error();
}

}  // namespace

namespace ShapeUtil {

Status ValidateShape(const Shape& shape) {
  if (shape.has_default_layout() && IsSmallArray(shape)) return {};
  ASSAY_CHECK_OK(ValidateParts(shape));
  const Result<std::int64_t> bytes = CheckedByteSizeOf(shape);
  return bytes ? Status() : bytes.error();
}

}  // namespace ShapeUtil
}  // namespace assay
