// Operands whose floating types differ in width only: what the legality rules call "the same, ignoring fp precision".
#pragma once

#include "interpreter/types/literal.h"

namespace assay {

// Equal, or both floating.
bool SameTypeIgnoringFpPrecision(PrimitiveType a, PrimitiveType b);
// Of two such types the one with more range, then the one with more digits.
PrimitiveType HigherPrecisionType(PrimitiveType a, PrimitiveType b);
// The value converted to an element type; the value itself where it has that type already.
Literal WithElementType(Literal value, PrimitiveType type);

}  // namespace assay
