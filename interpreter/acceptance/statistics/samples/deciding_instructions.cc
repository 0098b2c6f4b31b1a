#include "interpreter/acceptance/statistics/samples/deciding_instructions.h"

#include <algorithm>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool HasDiscreteLeaf(const Shape& shape) {
  if (shape.IsTuple()) return std::ranges::any_of(shape.tuple_shapes(), HasDiscreteLeaf);
  return shape.IsArray() && !IsInexactType(shape.element_type());
}

// True if a real result may jump: that of a remainder or a quotient, or of a sort whose comparator reads other numbers.
bool MayJump(const HloInstruction& instruction) {
  if (AcceptanceOf(instruction).Has(Trait::kJumps)) return true;
  return instruction.op->role == OpRole::kOrdinary &&
         std::ranges::any_of(instruction.CalledComputations(), [](const HloComputation* called) {
           return std::ranges::any_of(called->instructions, [](const auto& one) { return ComparesReals(*one); });
         });
}

// True for an instruction that only moves values, or runs instructions that decide for themselves: a call or a loop.
bool LeavesDecisions(const HloInstruction& instruction) {
  const OpRole role = instruction.op->role;
  return role == OpRole::kTuple || role == OpRole::kGetTupleElement || AcceptanceOf(instruction).RunsComputations();
}

}  // namespace

bool HasSteps(const HloInstruction& instruction) {
  const OpAcceptance& acceptance = AcceptanceOf(instruction);
  return acceptance.Has(Trait::kJumps) && acceptance.rule == Acceptance::kExact && instruction.operands.size() == 1 &&
         IsFloatingPointType(instruction.shape.element_type());
}

bool ComparesReals(const HloInstruction& instruction) {
  return instruction.operands.size() == 2 && instruction.shape.IsArray() && instruction.shape.element_type() == PRED &&
         ShapeUtil::HasInexactLeaf(instruction.operand(0).shape);
}

bool ChangesType(const HloInstruction& instruction) {
  return AcceptanceOf(instruction).Has(Trait::kKeepsBits) && instruction.shape.IsArray() &&
         instruction.operand(0).shape.element_type() != instruction.shape.element_type();
}

bool HasCuts(const HloInstruction& instruction) {
  return AcceptanceOf(instruction).RuleForComplex() == Acceptance::kUlp && instruction.shape.IsArray() &&
         std::ranges::any_of(instruction.operands, [](const HloInstruction* operand) {
           return operand->shape.IsArray() && IsComplexType(operand->shape.element_type());
         });
}

bool Decides(const HloInstruction& instruction, std::span<const Literal> operands) {
  return !LeavesDecisions(instruction) && std::ranges::any_of(operands, ShapeUtil::HasInexactLeaf, &Literal::shape) &&
         (HasDiscreteLeaf(instruction.shape) || MayJump(instruction) || HasCuts(instruction) ||
          ChangesType(instruction));
}

bool IsSmoothButForPoles(const HloInstruction& instruction) {
  if (HasCuts(instruction)) return true;
  return AcceptanceOf(instruction).Has(Trait::kJumps) && AcceptanceOf(instruction).rule == Acceptance::kUlp &&
         !HasDiscreteLeaf(instruction.shape);
}

}  // namespace assay
