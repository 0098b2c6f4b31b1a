#include "interpreter/acceptance/executed_operations.h"

#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/op.h"

namespace assay {

ExecutedOperations::Operation::Operation(const HloInstruction& executed, const Profile& profile)
    : instruction(AtOnce(executed)), judged{instruction, {}, profile, RuleOf(instruction, profile)} {}

const JudgedInstruction* ExecutedOperations::Completed(const HloInstruction& instruction,
                                                       std::span<const Literal> operands) {
  if (instruction.op->role != OpRole::kOrdinary) return nullptr;
  if (!instruction.op->legality.done.empty()) {
    begun_[&instruction].assign(operands.begin(), operands.end());
    return nullptr;
  }
  if (const auto begun = begun_.find(&StartOf(instruction)); begun != begun_.end()) operands = begun->second;
  Operation& operation = operations_.try_emplace(&instruction, instruction, profile_).first->second;
  operation.judged.operands = operands;
  return &operation.judged;
}

}  // namespace assay
