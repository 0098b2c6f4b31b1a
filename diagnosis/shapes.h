// Shapes of a whole module after one of them has changed.
#pragma once

#include <functional>

#include "diagnosis/subject.h"

namespace assay {

// Changes the shape of every parameter, and of whatever has no operands, as `change` says, and of the arrays that go
// with them; then infers the others. `is_last` keeps the last elements of a dimension that shrinks, not the first.
// False where no shapes fit.
using ShapeChange = std::function<void(const HloInstruction& instruction, Shape& shape)>;
bool ChangeShapes(Candidate& candidate, const ShapeChange& change, bool is_last = false);

// Infers the shape of what has operands anew, in all computations, after an attribute of an instruction has changed.
bool InferShapesAfter(HloModule& module, const HloInstruction& changed);

}  // namespace assay
