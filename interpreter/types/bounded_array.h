// Arrays whose run-time sizes are below the bounds of their shape, and the dense arrays of these sizes.
#pragma once

#include "interpreter/types/literal.h"
#include "interpreter/types/shape.h"

namespace assay {

// True if a dimension of an array is below its bound at run time.
bool IsBelowItsBound(const Literal& array);
// Returns the static shape of an array's run-time sizes.
Shape RunTimeShape(const Literal& array);
// Returns the elements whose indices are inside a static shape that is no larger in any dimension.
Literal LeadingElements(const Literal& array, const Shape& shape);
// The inverse: returns an array of the bound's shape whose run-time part is `array`. The rest is zero.
Literal WithBound(const Literal& array, const Shape& bound);

}  // namespace assay
