// Ways to break an op.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// An element as a real number, or as an integer (predicates are 0 and 1): the one that its type is.
struct Number {
  double real = 0;
  std::int64_t integer = 0;
};
Number LoadNumber(PrimitiveType type, const std::byte* array, std::int64_t offset);
// Rounds or wraps to the type.
void StoreNumber(PrimitiveType type, Number number, std::byte* array, std::int64_t offset);

// Another value for an element, from those of the operands and the right value.
using ElementRule = Number (*)(const HloInstruction& instruction, const Number* operands, Number right);

// The unbroken op's kernel, with elements replaced; complex numbers stay.
Kernel KernelWith(const HloInstruction& instruction, ElementRule rule);
template <ElementRule kRule>
void BreakElements(Op& op) {
  op.evaluation.kernel = [](const HloInstruction& instruction) { return KernelWith(instruction, kRule); };
}

// What the unbroken op gives.
Literal EvaluateWhole(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation);

// Takes other operands than those it has. The instruction's operands may be replaced as well.
template <void (*kChange)(HloInstruction& instruction, std::vector<Literal>& operands)>
void BreakOperands(Op& op) {
  op.evaluation.kernel = nullptr;
  op.evaluation.evaluate = [](const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
    HloInstruction changed = instruction;
    std::vector<Literal> values(operands.begin(), operands.end());
    kChange(changed, values);
    return EvaluateWhole(changed, values, evaluation);
  };
}

// Spoils the right result.
template <void (*kSpoil)(const HloInstruction& instruction, std::span<const Literal> operands, Literal& result)>
void BreakResult(Op& op) {
  op.evaluation.kernel = nullptr;
  op.evaluation.evaluate = [](const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation) {
    const std::vector<Literal> seen(operands.begin(), operands.end());
    Literal result = EvaluateWhole(instruction, operands, evaluation);
    kSpoil(instruction, seen, result);
    return result;
  };
}

// The array with the order along a dimension reversed.
Literal Reversed(const Literal& array, std::int64_t dimension);
// The first `count` along a dimension.
Literal FirstOf(const Literal& array, std::int64_t dimension, std::int64_t count);

// The integer of a scalar or array of indices changed in place.
void SetInteger(Literal& array, std::int64_t offset, std::int64_t value);

// The elements of an array from `first` on become zero.
void ForgetFrom(Literal& array, std::int64_t first);
// The second half of an array, or of each array of a tuple, becomes zero.
void ForgetHalf(Literal& value);
// For BreakResult: the same of the result.
void ForgetHalfOfResult(const HloInstruction&, std::span<const Literal>, Literal& result);
// For BreakResult: the end of what was started, (operands, result, ...), hands over the operand where it has the shape
// of the result.
void EndWithOperand(const HloInstruction& done, std::span<const Literal> operands, Literal& result);

// The row-major offset of each element, in the order of the layout.
std::vector<std::int64_t> OffsetsInMemory(const Dimensions& dimensions, std::span<const std::int64_t> minor_to_major);
// The same without a layout: row-major.
std::vector<std::int64_t> OffsetsInMemory(const Shape& shape);
// Element from[i] becomes element to[i] of the result.
void MoveElements(const Literal& array, std::span<const std::int64_t> from, Literal& result,
                  std::span<const std::int64_t> to);

}  // namespace assay
