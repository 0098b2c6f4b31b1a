// Ways to break an op.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/hlo/op.h"
#include "interpreter/types/literal.h"

namespace assay {

// An element as a real number, or as an integer (predicates are 0 and 1), depending on its type.
struct Number {
  double real = 0;
  std::int64_t integer = 0;
};
// Returns the low `bits` bits of an integer, extended as the signedness of the type requires.
std::int64_t LowBits(PrimitiveType type, std::int64_t value, int bits);

Number LoadNumber(PrimitiveType type, const std::byte* array, std::int64_t offset);
// Stores a number, rounded or wrapped to the type.
void StoreNumber(PrimitiveType type, Number number, std::byte* array, std::int64_t offset);

// Returns another value for an element, from the operands' elements and the right value.
using ElementRule = Number (*)(const HloInstruction& instruction, const Number* operands, Number right);

// Returns the unbroken op's kernel with the rule applied to its results; complex numbers stay right.
Kernel KernelWith(const HloInstruction& instruction, ElementRule rule);
template <ElementRule kRule>
void BreakElements(Op& op) {
  op.evaluation.kernel = [](const HloInstruction& instruction) { return KernelWith(instruction, kRule); };
}

// Evaluates the unbroken op.
Literal EvaluateWhole(const HloInstruction& instruction, std::span<Literal> operands, Evaluation& evaluation);

// Makes the op compute on changed operands. kChange may also replace the operands of the instruction.
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

// Makes the op spoil its right result.
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

// Sets an integer of an array in place.
void SetInteger(Literal& array, std::int64_t offset, std::int64_t value);

// Clears the elements of an array from `first` on.
void ForgetFrom(Literal& array, std::int64_t first);

}  // namespace assay
