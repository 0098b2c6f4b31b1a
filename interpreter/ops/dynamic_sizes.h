// Values that pass an op unchanged keep the run-time sizes of their dynamic dimensions.
#pragma once

#include "interpreter/types/literal.h"

namespace assay {

// The same elements under another shape of the same element count and storage size, tuples element by element. Run-time
// sizes stay where the dimensions do.
Literal WithShapeKeepingSizes(Literal value, const Shape& shape);

}  // namespace assay
