// Shapes of a whole module after a change of one of them.
#pragma once

#include <functional>

#include "conformance/diagnosis/subject.h"

namespace assay {

// Applies `change` to the shape of every parameter, of every other instruction without operands, and of their arrays;
// then infers the other shapes. `is_last` keeps the last elements of a dimension that shrinks, not the first. False if
// no shapes fit.
using ShapeChange = std::function<void(const HloInstruction& instruction, Shape& shape)>;
bool ChangeShapes(Candidate& candidate, const ShapeChange& change, bool is_last = false);

// Infers the shapes of all instructions with operands, in all computations, after a change of an instruction's
// attribute.
bool InferShapesAfter(HloModule& module, const HloInstruction& changed);

}  // namespace assay
