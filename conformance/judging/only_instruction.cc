#include "conformance/judging/only_instruction.h"

#include <utility>
#include <vector>

#include "conformance/judging/judged_alone.h"
#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/evaluator/run_time_sizes.h"
#include "interpreter/hlo/op.h"

namespace assay {
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

std::optional<Judgement> JudgeOnlyInstruction(const HloModule& module, const DeviceValues& arguments,
                                              const Literal& want, const Literal& got, const Profile& profile,
                                              const ElementObserver& observer) {
  const HloInstruction& root = *module.entry->root;
  // The set of an op that calls computations says more than its rule.
  const bool has_rule = IsJudgedAlone(root) && AcceptanceOf(root).walk == nullptr;
  if (!has_rule || arguments.size() != 1) return std::nullopt;
  const std::optional<std::vector<Literal>> operands = GivenOperands(root, arguments[0]);
  if (!operands || HasRunTimeSizes(*operands) || HasRunTimeSizes({&want, 1})) return std::nullopt;
  return JudgeInstruction(root, *operands, want, got, profile, observer);
}

}  // namespace assay
