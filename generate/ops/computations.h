// The computations that drawn instructions call, owned by the draft.
#pragma once

#include <string>
#include <vector>

#include "generate/draft.h"

namespace assay::generate {

using Types = std::vector<PrimitiveType>;

// Draws a fold of an accumulator of each type with an element of that type, by ops for which the order of the terms
// matters only for rounding. The result is a tuple if there are several types.
const XlaComputation& DrawFold(Draft& draft, const Types& types);
// Draws a comparison of two elements of one type.
const XlaComputation& DrawChoice(Draft& draft, PrimitiveType type);
// Draws a comparison of two rows of a sort by one of their elements.
const XlaComputation& DrawRowOrder(Draft& draft, const Types& types);
// Draws a computation of a few element-wise steps on those parameters that have the result's shape.
const XlaComputation& DrawSteps(Draft& draft, const std::string& name, const std::vector<Shape>& parameters,
                                const Shape& result);

// Adds a few element-wise steps on those values that have the result's shape, or on constants if none has.
XlaOp AddSteps(Draft& draft, XlaBuilder* builder, const std::vector<XlaOp>& values, const Shape& result);

}  // namespace assay::generate
