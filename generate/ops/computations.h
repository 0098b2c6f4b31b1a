// The computations that drawn instructions call. The draft keeps them.
#pragma once

#include <string>
#include <vector>

#include "generate/draft.h"

namespace assay::generate {

using Types = std::vector<PrimitiveType>;

// Folds an accumulator of each type with an element of it, by ops for which the order of the terms does not matter but
// for rounding. A tuple of the accumulators where there are several.
const XlaComputation& DrawFold(Draft& draft, const Types& types);
// Compares two elements of one type.
const XlaComputation& DrawChoice(Draft& draft, PrimitiveType type);
// Compares two rows of a sort by one of their elements.
const XlaComputation& DrawRowOrder(Draft& draft, const Types& types);
// A value made from the parameters in a few element-wise steps, from those of them that have its shape.
const XlaComputation& DrawSteps(Draft& draft, const std::string& name, const std::vector<Shape>& parameters,
                                const Shape& result);

// In a computation that is built: a value of a shape made in a few steps from those that have it; constants where none
// has.
XlaOp AddSteps(Draft& draft, XlaBuilder* builder, const std::vector<XlaOp>& values, const Shape& result);

}  // namespace assay::generate
