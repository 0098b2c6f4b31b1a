// Operands whose floating types may differ: "the same, ignoring fp precision" in the legality rules.
#pragma once

#include "interpreter/types/primitive_type.h"

namespace assay {

// True if the types are equal, or both floating.
bool SameTypeIgnoringFpPrecision(PrimitiveType a, PrimitiveType b);
// Returns the one of two such types with the larger range, then the one with more digits.
PrimitiveType HigherPrecisionType(PrimitiveType a, PrimitiveType b);

}  // namespace assay
