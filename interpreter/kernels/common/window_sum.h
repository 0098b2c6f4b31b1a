// Exact sums over the windows of an array.
#pragma once

#include "interpreter/hlo/attributes.h"
#include "interpreter/types/literal.h"

namespace assay {

// Returns, for each position of the window over the operand, init plus the elements under the window: exact, rounded
// once. Supports floating-point and complex types. Padding and holes add nothing. The cost does not depend on the size
// of a long window along one dimension.
Literal SumWindows(const Literal& operand, const Literal& init, const Window& window, const Shape& shape);

}  // namespace assay
