#include "conformance/judging/judge_case.h"

#include <algorithm>

#include "conformance/judging/computation_values.h"
#include "conformance/judging/own_values.h"
#include "interpreter/acceptance/program_sets.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

// True if other instructions than the root decide the result: operands of it that are computed, or what it calls.
bool IsProgram(const HloModule& module) {
  const HloInstruction& root = *module.entry->root;
  if (root.op->role == OpRole::kCall || root.op->acceptance.walk != nullptr) return true;
  const InstructionSet live = LiveInstructions(*module.entry);
  return std::ranges::count_if(live, [](const HloInstruction* instruction) { return DoesWork(*instruction); }) > 1;
}

// True if a set leaves it open, and an instruction is wrong on the operands that the backend itself gave it.
bool IsWrongOnOwnValues(Backend& backend, const HloModule& module, std::span<const Literal> arguments,
                        const Literal& got, const Judgement& by_set, const Profile& profile) {
  if (by_set.verdict != Verdict::kWeak) return false;
  ModuleReport report;
  const auto own = JudgeOnOwnValues(backend, module, arguments, got, {.profile = profile, .limits = {}}, report);
  return own && own->leads_to_result && own->verdict == Verdict::kFail;
}

}  // namespace

Judgement JudgeCase(Backend& backend, const HloModule& module, const DeviceValues& arguments,
                    const InstructionValues& reference, const Literal& got, const Profile& profile,
                    const EvaluationLimits& limits, const ElementObserver& observer) {
  Judgement by_rule = JudgeInstruction(*module.entry->root, reference.operands, reference.want, got, profile, observer);
  if (by_rule.verdict != Verdict::kFail || arguments.size() != 1 || !IsProgram(module)) return by_rule;
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  const Result<ValueSet> set = EvaluateSets(module, arguments[0], profile, evaluation);
  if (!set) return by_rule;
  Judgement by_set = JudgeBySet(*set, got);
  if (by_set.verdict == Verdict::kFail || IsWrongOnOwnValues(backend, module, arguments[0], got, by_set, profile)) {
    return by_rule;
  }
  return by_set;
}

}  // namespace assay
