// Operands whose floating types may differ: "the same, ignoring fp precision" in the legality rules.
#pragma once

#include "interpreter/types/literal.h"

namespace assay {

// True if the types are equal, or both floating.
bool SameTypeIgnoringFpPrecision(PrimitiveType a, PrimitiveType b);
// Returns the one of two such types with the larger range, then the one with more digits.
PrimitiveType HigherPrecisionType(PrimitiveType a, PrimitiveType b);
// Returns the value converted to an element type; unchanged if it has that type already.
Literal WithElementType(Literal value, PrimitiveType type);

}  // namespace assay
