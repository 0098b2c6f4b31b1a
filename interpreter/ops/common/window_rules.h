// The sizes of a base area that a window moves over, and the element of the base under each cell of the window
// (reduce-window, select-and-scatter, convolution). The base is dilated first and then padded. Negative padding removes
// elements of the dilated base, including holes.
#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/hlo/module.h"
#include "interpreter/types/result.h"
#include "interpreter/types/shape.h"

namespace assay {

// Returns the size of a dimension with dilation - 1 holes between neighbours: (size - 1) * dilation + 1, and 0 for 0.
Result<std::int64_t> DilatedSize(std::int64_t size, std::int64_t dilation);

// Returns the number of positions of the window over a base dimension of this size; 0 if the dilated window exceeds the
// dilated and padded base. The window's fields must be legal (CheckWindow).
Result<std::int64_t> WindowPositions(const WindowDimension& window, std::int64_t base_size);

// Checks that every size, stride and dilation is at least 1.
Status CheckWindow(const HloInstruction& instruction, const Window& window);

// Infers the array of all window positions over `base`. The window has one dimension for each of the base's.
Result<Shape> InferWindowOutputShape(const HloInstruction& instruction, const Shape& base, const Window& window,
                                     PrimitiveType element_type);

// Returns the bounds of the window's cells.
Dimensions CellBounds(const Window& window);

// Returns the index of the element of the base under `cell` of a window at `position`; nullopt if the cell is over
// padding or a hole of the dilated base. window_reversal counts the cells of a dimension from its end.
std::optional<Dimensions> ElementUnder(const Window& window, const Dimensions& position, const Dimensions& cell,
                                       const Dimensions& base);

}  // namespace assay
