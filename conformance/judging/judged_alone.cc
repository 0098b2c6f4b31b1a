#include "conformance/judging/judged_alone.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "conformance/judging/computation_values.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/evaluator/run_time_sizes.h"
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

namespace {

std::optional<std::vector<Literal>> GivenOperands(const HloInstruction& root, const std::vector<Literal>& arguments) {
  std::vector<Literal> operands;
  for (const HloInstruction* operand : root.operands) {
    if (operand->op->role == OpRole::kParameter) {
      operands.push_back(arguments[operand->parameter_number]);
    } else if (operand->op->role == OpRole::kConstant) {
      operands.push_back(*operand->literal);
    } else {
      return std::nullopt;
    }
  }
  return operands;
}

}  // namespace

std::optional<std::vector<Literal>> OperandsOfOnlyInstruction(const HloModule& module, const DeviceValues& arguments,
                                                              const Literal& want) {
  const HloInstruction& root = *module.entry->root;
  // The set of an op that calls computations says more than its rule.
  const bool has_rule = IsJudgedAlone(root) && AcceptanceOf(root).walk == nullptr;
  if (!has_rule || arguments.size() != 1) return std::nullopt;
  std::optional<std::vector<Literal>> operands = GivenOperands(root, arguments[0]);
  if (!operands || HasRunTimeSizes(*operands) || HasRunTimeSizes({&want, 1})) return std::nullopt;
  return operands;
}

bool IsProgram(const HloModule& module) {
  const HloInstruction& root = *module.entry->root;
  if (root.op->role == OpRole::kCall || AcceptanceOf(root).walk != nullptr) return true;
  return std::ranges::any_of(LiveInstructions(*module.entry), [&](const HloInstruction* instruction) {
    return instruction != &root && DoesWork(*instruction);
  });
}

}  // namespace assay
