// Conversion of a whole array, for kernels of ops whose operands may differ in floating type.
#pragma once

#include "interpreter/types/literal.h"

namespace assay {

// Returns the value converted to an element type; unchanged if it has that type already.
Literal WithElementType(Literal value, PrimitiveType type);

}  // namespace assay
