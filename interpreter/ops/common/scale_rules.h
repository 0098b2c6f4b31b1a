// The scales of scaled-dot.
#pragma once

#include "interpreter/types/shape.h"

namespace assay {

// A bf16 operand may come with a scale of one element that stands for "not scaled".
bool IsDummyScale(const Shape& operand, const Shape& scale);

// The type in which an operand is scaled: c128, f64 or s64.
PrimitiveType ScaledType(PrimitiveType operand, PrimitiveType scale);

}  // namespace assay
