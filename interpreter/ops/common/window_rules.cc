#include "interpreter/ops/common/window_rules.h"

#include <algorithm>
#include <numeric>

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

int128 FloorDivide(int128 a, int128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
int128 CeilDivide(int128 a, int128 b) { return -FloorDivide(-a, b); }

// The inverse of a modulo m, for coprime a and m > 0; 0 for m = 1.
int128 Inverse(int128 a, int128 m) {
  int128 r = m, next_r = ((a % m) + m) % m, t = 0, next_t = 1;
  while (next_r != 0) {
    const int128 quotient = r / next_r;
    std::swap(t -= quotient * next_t, next_t);
    std::swap(r -= quotient * next_r, next_r);
  }
  return m == 1 ? 0 : (t % m + m) % m;
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

CellRun RunOfCell(const WindowDimension& window, std::int64_t base_size, std::int64_t cell, std::int64_t begin,
                  std::int64_t end) {
  // Position o has the cell at o * stride + offset in the dilated base; a multiple of base_dilation is an element.
  if (window.window_reversal) cell = window.size - 1 - cell;
  const int128 stride = window.stride;
  const int128 dilation = window.base_dilation;
  const int128 offset = int128{cell} * window.window_dilation - window.padding_low;
  const int128 divisor = std::gcd(window.stride, window.base_dilation);
  if (base_size == 0 || offset % divisor != 0) return {};
  const int128 position_step = dilation / divisor;
  const int128 last_place = int128{base_size - 1} * dilation;
  const int128 lowest = std::max(int128{begin}, CeilDivide(-offset, stride));
  const int128 highest = std::min(int128{end} - 1, FloorDivide(last_place - offset, stride));
  // o * (stride / divisor) = -offset / divisor (mod position_step)
  const int128 residue = (-offset / divisor) % position_step * Inverse(stride / divisor, position_step) % position_step;
  const int128 first = lowest + ((residue - lowest) % position_step + position_step) % position_step;
  if (first > highest) return {};
  return {.count = static_cast<std::int64_t>((highest - first) / position_step + 1),
          .first_position = static_cast<std::int64_t>(first - begin),
          .position_step = static_cast<std::int64_t>(position_step),
          .first_element = static_cast<std::int64_t>((first * stride + offset) / dilation),
          .element_step = static_cast<std::int64_t>(stride / divisor)};
}

}  // namespace assay
