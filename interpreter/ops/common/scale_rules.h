// The scales of scaled-dot.
#pragma once

#include "interpreter/types/shape.h"

namespace assay {

// True for a scale of one element that marks a bf16 operand as not scaled.
bool IsDummyScale(const Shape& operand, const Shape& scale);

// Returns the type in which an operand is scaled: c128, f64 or s64.
PrimitiveType ScaledType(PrimitiveType operand, PrimitiveType scale);

}  // namespace assay
