// Shapes of a whole module after a change of one of them.
#pragma once

#include <functional>
#include <optional>

#include "conformance/diagnosis/subject.h"
#include "interpreter/types/literal.h"

namespace assay {

// Applies `change` to the shape of every parameter, of every other instruction without operands, and of their arrays;
// then infers the other shapes. `is_last` keeps the last elements of a dimension that shrinks, not the first. False if
// no shapes fit.
using ShapeChange = std::function<void(const HloInstruction& instruction, Shape& shape)>;
bool ChangeShapes(Candidate& candidate, const ShapeChange& change, bool is_last = false);

// Returns the leading or trailing part of an array in a smaller shape of the same rank, its elements again and again in
// a larger one, or all elements in another shape of the same size; nothing for another rank. Tuples array by array.
std::optional<Literal> Fitted(const Literal& value, const Shape& shape, bool is_last);

// Infers the shapes of all instructions with operands, in all computations, after a change of an instruction's
// attribute.
bool InferShapesAfter(HloModule& module, const HloInstruction& changed);

}  // namespace assay
