// The steps that reduce a failing module. Each returns candidates in a fixed order, the largest savings first; the
// caller decides which ones to try.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/diagnosis/reduce.h"
#include "conformance/diagnosis/subject.h"
#include "interpreter/evaluator/evaluator.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/per_device.h"
#include "interpreter/types/result.h"

namespace assay {

// Removes instructions from the entry, in halves, quarters and so on down to one. A removed operand becomes a parameter
// with the reference's value; an unused value becomes an output. Returns whether anything was removed.
bool CutEntry(Search& search, Subject& subject, const EvaluationLimits& limits);

// Returns the part of the subject that computes one instruction of the entry, on its operands in the reference. An
// asynchronous pair remains whole. Returns nothing if an operand has no value, or if the part is illegal.
std::optional<Subject> PartWithOnly(const Subject& subject, const HloInstruction& instruction,
                                    const EvaluationLimits& limits);

struct Step {
  std::string_view name;
  std::vector<Edit> (*edits)(const Subject& subject, const EvaluationLimits& limits);
};

// Inlines called computations: calls, fusions, taken branches, bodies of loops.
bool IsOpened(const HloInstruction& instruction);
std::vector<Edit> CallEdits(const Subject& subject, const EvaluationLimits& limits);
// Replaces an instruction by one of its operands or by zeros, and merges two parameters.
std::vector<Edit> OperandEdits(const Subject& subject, const EvaluationLimits& limits);
// Shrinks or removes dimensions.
std::vector<Edit> SizeEdits(const Subject& subject, const EvaluationLimits& limits);
// Removes annotations and attributes, or sets their defaults.
std::vector<Edit> AttributeEdits(const Subject& subject, const EvaluationLimits& limits);
// Changes element types to common ones.
std::vector<Edit> TypeEdits(const Subject& subject, const EvaluationLimits& limits);
// Change every dimension of one size to another size, of which arrays keep their first or last elements or repeat their
// elements; and every array of one element type to another type.
Edit ResizeAll(std::int64_t size, std::int64_t now, bool is_last);
Edit RetypeAll(PrimitiveType from, PrimitiveType to);
// Sets elements of arguments and constants to 0, 1 or a small integer.
std::vector<Edit> ValueEdits(const Subject& subject, const EvaluationLimits& limits);

// False for a pending value of an asynchronous operation, and for a value whose sizes are below its bounds.
bool CanBeArgument(const Literal& value);

// The values on all devices, without those that were not evaluated or cannot be arguments.
using EntryValues = std::unordered_map<const HloInstruction*, PerDevice<Literal>>;
Result<EntryValues> ValuesOfEntry(const Subject& subject, const EvaluationLimits& limits);

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
