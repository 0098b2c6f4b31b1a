// Maps sets of operands to sets of exact results (OpAcceptance::image), for several ops.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

using ElementSet = std::shared_ptr<const OpenElements>;

// A copy of an instruction with other operand and result types.
class InstructionWithTypes {
 public:
  // Changes the element type of the result and of the operands with these numbers (all operands if the list is empty).
  // With `is_scalar` they become scalars. Nothing else changes.
  InstructionWithTypes(const HloInstruction& instruction, std::initializer_list<std::size_t> operands,
                       PrimitiveType type, bool is_scalar = false);
  const HloInstruction& instruction() const { return copy_; }

 private:
  std::vector<HloInstruction> parameters_;
  HloInstruction copy_;
};

// True for a fold of one array whose reducer returns its second parameter: the last of the folded elements counts,
// which may be any of them if the order is open.
bool Overwrites(const HloInstruction& fold);

// Moves or drops elements of the operands that `is_data` selects; the other operands say where. If one of these is
// open, the result may hold any element of the data.
ElementSet MoveElements(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                        SetEvaluation& evaluation, bool (*is_data)(std::size_t));
template <std::size_t... data>
ElementSet MovesOperands(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                         SetEvaluation& evaluation) {
  return MoveElements(instruction, operands, value, evaluation, [](std::size_t i) { return ((i == data) || ...); });
}
// Moves elements of all operands.
ElementSet MovesAll(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                    SetEvaluation& evaluation);

// Converts the numbers of integers or predicates to elements of their type.
Literal IntegersOf(PrimitiveType type, const Literal& numbers);

// Converts an interval to an integer type: returns it if the type holds all its numbers, outwards where doubles do not
// hold every integer; otherwise any number of the type, because integers wrap.
Reals Wrapped(PrimitiveType type, const Reals& x);

// Maps sets through an element-wise op that increases (1) or decreases (-1) with each operand: evaluates it at the
// ends.
ElementSet ImageOfEnds(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                       SetEvaluation& evaluation, std::span<const int> signs);
template <int... signs>
ElementSet Monotone(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                    SetEvaluation& evaluation) {
  static constexpr int kSigns[] = {signs...};
  return ImageOfEnds(instruction, operands, value, evaluation, kSigns);
}

// Maps sets through an element-wise op by a function of intervals. `image` is called for elements with an open operand.
using ElementImage = Reals (*)(const HloInstruction&, std::span<const Reals>);
ElementSet MapElements(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                       ElementImage image);
template <ElementImage image>
ElementSet ByElement(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                     SetEvaluation&) {
  return MapElements(instruction, operands, value, image);
}

// Integers that are not negative, and a known one: the bits that they share with it, and those that they do not.
struct MaskedBits {
  double mask;
  Reals shared, others;
};
// Returns these for the operands of a bitwise op; nullopt if neither operand is known, or nothing is known of the
// other.
std::optional<MaskedBits> MaskedBitsOf(std::span<const Reals> x);
Reals ExclusiveOr(const HloInstruction& instruction, std::span<const Reals> x);

// Map intervals of integers that are not negative through a shift by a known number of bits.
Reals TimesPowerOfTwo(const HloInstruction& instruction, std::span<const Reals> x);
Reals ByPowerOfTwo(const HloInstruction& instruction, std::span<const Reals> x);

// Maps sets through a fold of arrays by a computation. Evaluates it at the ends if the computation increases with both
// operands. Otherwise, for a computation that only chooses among its operands, returns any element that goes into the
// fold.
ElementSet FoldImage(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                     SetEvaluation& evaluation);

// True if each result of a reducer for array `k` is one of its two elements, whatever their numbers are.
bool SelectsFromArray(const HloComputation& reducer, std::size_t k);

struct OpenNumbers {
  Reals reals;
  std::vector<double> only;  // no others between their ends; empty: any of them
};
// The numbers that result `i` of a fold for array `k` may be in some order of its elements. If the reducer only selects
// for this array, they are those of the elements that the result combines. If these are decided and the reducer selects
// the elements of all arrays together, only elements that it can select count. The arguments must outlive the function.
using NumbersInAnyOrder = std::function<OpenNumbers(std::size_t k, std::int64_t i)>;
NumbersInAnyOrder InAnyOrder(const HloInstruction& fold, const HloComputation& reducer,
                             std::span<const ValueSet> operands, SetEvaluation& evaluation);

// Implements OpAcceptance::steps for a fold whose reducer only selects, such as that of the index of a maximum: applies
// it to one element after another, in the reference's order and in the opposite one.
std::optional<ValueSet> SetOfSelectingFold(const HloInstruction& fold, std::span<const ValueSet> operands,
                                           const Literal& value, SetEvaluation& evaluation);

// Returns the distance of each component of a set from its value, at most, as NumbersOf has them; NaN if it may be one.
Literal RadiusOf(const ValueSet& set);

// Maps sets through sums of products of two operands.
ElementSet BilinearImage(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                         SetEvaluation& evaluation);

// Implements OpAcceptance::walk for an op that returns its first operand.
ValueSet ForwardsOperand(const HloInstruction& instruction, std::span<const ValueSet> operands, SetEvaluation&);

}  // namespace assay
