// The computations that drawn instructions call, owned by the drawer.
#pragma once

#include <string>
#include <vector>

#include "fuzz/generate/instruction_drawer.h"

namespace assay::generate {

using Types = std::vector<PrimitiveType>;

// Draws a fold of an accumulator of each type with an element of that type, by ops for which the order of the terms
// matters only for rounding. The result is a tuple if there are several types.
const XlaComputation& DrawFold(InstructionDrawer& drawer, const Types& types);
// Draws a comparison of two elements of one type.
const XlaComputation& DrawChoice(InstructionDrawer& drawer, PrimitiveType type);
// Draws a comparison of two rows of a sort by one of their elements.
const XlaComputation& DrawRowOrder(InstructionDrawer& drawer, const Types& types);
// Draws a computation of a few element-wise steps on those parameters that have the result's shape.
const XlaComputation& DrawSteps(InstructionDrawer& drawer, const std::string& name,
                                const std::vector<Shape>& parameters, const Shape& result);

// Adds a few element-wise steps on those values that have the result's shape, or on constants if none has.
XlaOp AddSteps(InstructionDrawer& drawer, XlaBuilder* builder, const std::vector<XlaOp>& values, const Shape& result);

}  // namespace assay::generate
