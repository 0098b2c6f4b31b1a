// Rewrites of modules for mutation operators. The instruction to break keeps its place and its users; its original
// computation moves into a new instruction before it.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// The computation of an inserted instruction, which is no op of HLO. It is element-wise, or of whole values if `block`
// is empty or the result is a tuple.
struct Inserted {
  std::function<void(const HloInstruction&, std::span<const std::byte* const> operands, std::byte* result,
                     std::int64_t n)>
      block;
  std::function<Literal(const HloInstruction&, std::span<Literal> operands)> whole;
};
// The number of a registered body. Bodies live as long as the process.
enum class InsertedBody : std::int64_t {};
InsertedBody Keep(Inserted inserted);

// A change of n elements of a type in place; complex elements count as 2n parts.
using ElementMap = std::function<void(PrimitiveType type, std::byte* elements, std::int64_t n)>;
InsertedBody Mapping(ElementMap map);
// Changes an array, or each array of a tuple.
void ChangeArrays(const std::function<void(Literal&)>& change, Literal& value);
// Registers a change of whole arrays.
InsertedBody ArrayChange(std::function<void(Literal& array)> change);

// Adds a copy of `instruction` just before `next`, with a name derived from that of `next`.
HloInstruction& AddBefore(HloInstruction& next, const HloInstruction& instruction);
HloInstruction& InsertBefore(HloInstruction& next, InsertedBody body, const Shape& shape,
                             std::vector<HloInstruction*> operands);
// Moves the instruction's computation into a new one before it, which is returned. The instruction itself becomes
// `body` of the new one's result.
HloInstruction& Wrap(HloInstruction& instruction, InsertedBody body);

// Applies a change of attributes or operands if the instruction stays legal. If its shape changes, the result is cut,
// or filled with zeros, to the shape that users expect. An op with a declared shape gets another declared shape if
// necessary. Returns false if nothing has changed.
bool EditInstruction(HloInstruction& instruction, const std::function<bool(HloInstruction&)>& edit);
// Infers the shape of a changed instruction. Fails if it could not be evaluated.
Result<Shape> ShapeOf(const HloInstruction& instruction);

using TypeMap = std::function<PrimitiveType(PrimitiveType)>;
Shape WithTypes(Shape shape, const TypeMap& types);
// Evaluates the instruction and its called computations with other element types. Converts the operands; `back`
// converts the result to the old types. Returns false if that is illegal.
bool EvaluateInTypes(HloInstruction& instruction, const TypeMap& types, InsertedBody back);
// Returns the body that converts each array to the type of the result, as the op `convert` does.
InsertedBody Conversion();

// Copies a computation and those that it calls. The copies precede the caller's computation.
HloComputation& CopyComputation(const HloComputation& computation, const HloInstruction& caller, const TypeMap& types);

// True if the op computes new elements: its record says that it is element-wise, or not exact.
bool Computes(const Op& op);
// The types that one fault affects together.
struct TypeClass {
  std::string_view name;
  TypeSet types;
};
inline constexpr TypeSet kNarrowFloats = {kFloats.bits & ~TypesOf(F64, F32, F16, BF16).bits};

// True if the shape, or an element of a tuple shape, has one of the element types.
bool HasTypeOf(const Shape& shape, TypeSet types);
// Pass the result, or each operand, through `body` if it has one of the types. Return false if none has.
bool WrapResult(TypeSet types, InsertedBody body, HloInstruction& instruction);
bool WrapOperands(TypeSet types, InsertedBody body, HloInstruction& instruction);

}  // namespace assay
