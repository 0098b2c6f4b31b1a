// Exact sums over the windows of an array.
#pragma once

#include "interpreter/hlo/attributes.h"
#include "interpreter/types/literal.h"

namespace assay {

// For each position of the window over the operand, init plus the elements under the window: exact, rounded once.
// Floating-point or complex; padding and holes add nothing. Cost does not grow with the size of a long window along one
// dimension.
Literal SumWindows(const Literal& operand, const Literal& init, const Window& window, const Shape& shape);

}  // namespace assay
