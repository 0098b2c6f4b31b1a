// How mutation operators change a module: the instruction that they break keeps its place and its users, and what is
// broken stands before it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// What an inserted instruction computes, which no op of HLO does: element by element, or of whole values where `block`
// is empty or the result is a tuple.
struct Inserted {
  std::function<void(const HloInstruction&, std::span<const std::byte* const> operands, std::byte* result,
                     std::int64_t n)>
      block;
  std::function<Literal(const HloInstruction&, std::span<Literal> operands)> whole;
};
// Its number. Bodies live as long as the process.
enum class InsertedBody : std::int64_t {};
InsertedBody Keep(Inserted inserted);

// Changes n elements of a type in place; of complex ones their 2n parts.
using ElementMap = std::function<void(PrimitiveType type, std::byte* elements, std::int64_t n)>;
InsertedBody Mapping(ElementMap map);
// The same, of whole arrays.
InsertedBody ArrayChange(std::function<void(Literal& array)> change);

// A new instruction just before another one, which takes its name from it.
HloInstruction& AddBefore(HloInstruction& next, const HloInstruction& instruction);
HloInstruction& InsertBefore(HloInstruction& next, InsertedBody body, const Shape& shape,
                             std::vector<HloInstruction*> operands);
// Moves what the instruction computes into a new one before it, which is returned; the instruction itself becomes
// what `body` makes of that one's result.
HloInstruction& Wrap(HloInstruction& instruction, InsertedBody body);

// Applies a change of attributes or operands where it leaves a legal instruction. If that has another shape, its result
// is cut, or filled with zeros, to the shape that users expect; an op whose shape is declared gets another one declared
// where it needs it. False: nothing has changed.
bool EditInstruction(HloInstruction& instruction, const std::function<bool(HloInstruction&)>& edit);
// The same without a check: whether the changed instruction could be evaluated, and with which shape.
Result<Shape> ShapeOf(const HloInstruction& instruction);

using TypeMap = std::function<PrimitiveType(PrimitiveType)>;
Shape Retyped(Shape shape, const TypeMap& types);
// Evaluates the instruction, and what it calls, with other element types: operands are converted, and what `back` makes
// of the result has the old types. False where that is illegal.
bool EvaluateInTypes(HloInstruction& instruction, const TypeMap& types, InsertedBody back);
// From each array to the array of the result's type, as the conversion of the operation set does.
InsertedBody Conversion();

// A copy of a computation, listed before what calls it.
HloComputation& CopyComputation(const HloComputation& computation, const HloInstruction& caller, const TypeMap& types);

// Whether the op makes other elements than it takes. By its record: it is element-wise, or not exact.
bool Computes(const Op& op);
// Whether the shape is, or a tuple's element has, the element type.
bool HasType(const Shape& shape, PrimitiveType type);

}  // namespace assay
