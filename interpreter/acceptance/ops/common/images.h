// How sets of operands map to sets of exact results (OpAcceptance::image), for what several ops share.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

using ElementSet = std::shared_ptr<const OpenElements>;

// An instruction that stands for another one with other operand and result types.
class Retyped {
 public:
  // The operands with these numbers, all if there are none, and the result have the type; nothing else changes, except
  // that with `is_scalar` they are scalars.
  Retyped(const HloInstruction& instruction, std::initializer_list<std::size_t> operands, PrimitiveType type,
          bool is_scalar = false);
  const HloInstruction& instruction() const { return copy_; }

 private:
  std::vector<HloInstruction> parameters_;
  HloInstruction copy_;
};

// Elements of the operands that `is_data` names go to new places, or stay away; the other operands say where. Where
// these are open the result may hold any element of the data.
ElementSet MoveElements(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                        SetEvaluation& evaluation, bool (*is_data)(std::size_t));
template <std::size_t... data>
ElementSet MovesOperands(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                         SetEvaluation& evaluation) {
  return MoveElements(instruction, operands, value, evaluation, [](std::size_t i) { return ((i == data) || ...); });
}
// All of them.
ElementSet MovesAll(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                    SetEvaluation& evaluation);

// What an integer type makes of numbers: themselves if it has them all, else any of its own, for they wrap.
Reals Wrapped(PrimitiveType type, const Reals& x);

// An element-wise op that grows (1) or falls (-1) with each operand: its image lies between those of the ends.
ElementSet ImageOfEnds(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                       SetEvaluation& evaluation, std::span<const int> signs);
template <int... signs>
ElementSet Monotone(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                    SetEvaluation& evaluation) {
  static constexpr int kSigns[] = {signs...};
  return ImageOfEnds(instruction, operands, value, evaluation, kSigns);
}

// An element-wise op by a function of intervals: `image` is called for the elements of which some operand is open.
using ElementImage = Reals (*)(const HloInstruction&, std::span<const Reals>);
ElementSet MapElements(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                       ElementImage image);
template <ElementImage image>
ElementSet ByElement(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                     SetEvaluation&) {
  return MapElements(instruction, operands, value, image);
}

// A fold of arrays by a computation: by its ends where the computation grows with both operands, else, for a
// computation that only chooses among its operands, any element that goes into the fold.
ElementSet FoldImage(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                     SetEvaluation& evaluation);

// Sums of products of two operands.
ElementSet BilinearImage(const HloInstruction& instruction, std::span<const ValueSet> operands, const Literal& value,
                         SetEvaluation& evaluation);

// OpAcceptance::walk of an op whose result is its first operand.
ValueSet ForwardsOperand(const HloInstruction& instruction, std::span<const ValueSet> operands, SetEvaluation&);

}  // namespace assay
