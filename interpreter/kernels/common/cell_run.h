// The positions of a window at which one of its cells is over an element, found without visiting the others.
#pragma once

#include <cstdint>

#include "interpreter/hlo/attributes.h"

namespace assay {

// The window positions, in one dimension, at which one cell of the window is over an element of the base: positions
// first_position + t * position_step, elements first_element + t * element_step, for 0 <= t < count. At all other
// positions the cell is over padding or a hole.
struct CellRun {
  std::int64_t count = 0;
  std::int64_t first_position = 0;
  std::int64_t position_step = 1;
  std::int64_t first_element = 0;
  std::int64_t element_step = 1;
};

// Returns the run of window cell `cell` among positions [begin, end). first_position counts from `begin`.
CellRun RunOfCell(const WindowDimension& window, std::int64_t base_size, std::int64_t cell, std::int64_t begin,
                  std::int64_t end);

}  // namespace assay
