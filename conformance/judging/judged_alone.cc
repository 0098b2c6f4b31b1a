#include "conformance/judging/judged_alone.h"

#include <algorithm>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// True if the instruction computes nothing with real numbers; it may move them.
bool IsDetermined(const HloInstruction& instruction) {
  const Acceptance rule = AcceptanceOf(instruction).rule;
  if (rule != Acceptance::kExact) return rule == Acceptance::kCalled;
  if (instruction.op->evaluation.kernel == nullptr) return true;
  return !ShapeUtil::HasInexactLeaf(instruction.shape) &&
         std::ranges::none_of(instruction.operands,
                              [](const auto* operand) { return ShapeUtil::HasInexactLeaf(operand->shape); });
}

}  // namespace

bool IsDetermined(const HloModule& module) {
  return std::ranges::all_of(module.computations, [](const auto& computation) {
    return std::ranges::all_of(computation->instructions, [](const auto& one) { return IsDetermined(*one); });
  });
}

bool IsJudgedAlone(const HloInstruction& instruction) {
  const auto is_array = [](const HloInstruction* operand) { return operand->shape.IsArray(); };
  return instruction.op->role == OpRole::kOrdinary && std::ranges::all_of(StartOf(instruction).operands, is_array);
}

}  // namespace assay
