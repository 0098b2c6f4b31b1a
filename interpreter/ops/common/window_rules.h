// Rule W: the sizes of a base area that a window moves over, and which element of the base lies under which cell of
// the window (reduce-window, select-and-scatter, convolution).
#pragma once

#include <cstdint>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// The size of a dimension with dilation - 1 holes between neighbours: (size - 1) * dilation + 1, and 0 for 0.
Result<std::int64_t> DilatedSize(std::int64_t size, std::int64_t dilation);

// Number of positions of the window over a base dimension of this size. The window's fields must be legal
// (CheckWindow).
Result<std::int64_t> WindowPositions(const WindowDimension& window, std::int64_t base_size);

// Every size, stride and dilation is at least 1.
Status CheckWindow(const HloInstruction& instruction, const Window& window);

// The array of all window positions over `base`, which has one window dimension each.
Result<Shape> InferWindowOutputShape(const HloInstruction& instruction, const Shape& base, const Window& window,
                                     PrimitiveType element_type);

// In one dimension, the window positions at which one cell of the window lies on an element of the base: positions
// first_position + t * position_step, elements first_element + t * element_step, for 0 <= t < count. At all other
// positions the cell lies on padding or in a hole.
struct CellRun {
  std::int64_t count = 0;
  std::int64_t first_position = 0;
  std::int64_t position_step = 1;
  std::int64_t first_element = 0;
  std::int64_t element_step = 1;
};

// The run of window cell `cell` among positions [begin, end). first_position counts from `begin`.
CellRun RunOfCell(const WindowDimension& window, std::int64_t base_size, std::int64_t cell, std::int64_t begin,
                  std::int64_t end);

}  // namespace assay
