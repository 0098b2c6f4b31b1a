#include "interpreter/ops/common/window_rules.h"

#include "interpreter/ops/common/legality.h"

namespace assay {
namespace {

__extension__ typedef __int128 int128;

Result<std::int64_t> Narrowed(int128 size) {
  if (size >= INT64_MIN && size <= INT64_MAX) return static_cast<std::int64_t>(size);
  return Error{ErrorCode::kIllegal, "a dilated or padded size does not fit 63 bits"};
}

int128 Dilated(std::int64_t size, std::int64_t dilation) {
  return size == 0 ? int128{0} : int128{size - 1} * dilation + 1;
}

}  // namespace

Result<std::int64_t> DilatedSize(std::int64_t size, std::int64_t dilation) { return Narrowed(Dilated(size, dilation)); }

Result<std::int64_t> WindowPositions(const WindowDimension& window, std::int64_t base_size) {
  const int128 base = Dilated(base_size, window.base_dilation) + window.padding_low + window.padding_high;
  const int128 size = Dilated(window.size, window.window_dilation);
  ASSAY_CHECK_OK(Narrowed(base));
  ASSAY_CHECK_OK(Narrowed(size));
  return base <= 0 || size > base ? std::int64_t{0} : static_cast<std::int64_t>((base - size) / window.stride + 1);
}

Status CheckWindow(const HloInstruction& instruction, const Window& window) {
  for (std::size_t d = 0; d < window.dimensions.size(); ++d) {
    const WindowDimension& w = window.dimensions[d];
    const std::pair<const char*, std::int64_t> fields[] = {
        {"size", w.size}, {"stride", w.stride}, {"lhs_dilate", w.base_dilation}, {"rhs_dilate", w.window_dilation}};
    for (const auto& [name, value] : fields) {
      if (value < 1) {
        return Illegal(instruction, "window {} must be at least 1 in every dimension, found {} in dimension {}", name,
                       value, d);
      }
    }
  }
  return {};
}

Result<Shape> InferWindowOutputShape(const HloInstruction& instruction, const Shape& base, const Window& window,
                                     PrimitiveType element_type) {
  if (static_cast<std::int64_t>(window.dimensions.size()) != base.rank()) {
    return Illegal(instruction, "the window must have one entry for each of the {} dimensions of {}, found {}",
                   base.rank(), base.ToStringWithoutLayout(), window.dimensions.size());
  }
  ASSAY_CHECK_OK(CheckWindow(instruction, window));
  Dimensions dimensions;
  std::vector<bool> is_dynamic;
  for (std::int64_t d = 0; d < base.rank(); ++d) {
    is_dynamic.push_back(base.is_dynamic_dimension(d));
    if (base.is_unbounded_dynamic_dimension(d)) {
      dimensions.push_back(Shape::kUnboundedSize);
      continue;
    }
    const Result<std::int64_t> positions = WindowPositions(window.dimensions[d], base.dimensions(d));
    if (!positions) return Illegal(instruction, "{}: window dimension {}", positions.error().message, d);
    dimensions.push_back(*positions);
  }
  return ShapeUtil::MakeShape(element_type, std::move(dimensions), std::move(is_dynamic));
}

Dimensions CellBounds(const Window& window) {
  Dimensions sizes;
  for (const WindowDimension& w : window.dimensions) sizes.push_back(w.size);
  return sizes;
}

std::optional<Dimensions> ElementUnder(const Window& window, const Dimensions& position, const Dimensions& cell,
                                       const Dimensions& base) {
  Dimensions element;
  for (std::size_t d = 0; d < base.size(); ++d) {
    const WindowDimension& w = window.dimensions[d];
    const std::int64_t c = w.window_reversal ? w.size - 1 - cell[d] : cell[d];
    const int128 place = int128{position[d]} * w.stride + int128{c} * w.window_dilation - w.padding_low;
    if (place % w.base_dilation != 0 || place < 0 || place / w.base_dilation >= base[d]) return std::nullopt;
    element.push_back(static_cast<std::int64_t>(place / w.base_dilation));
  }
  return element;
}

}  // namespace assay
