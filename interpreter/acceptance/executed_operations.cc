#include "interpreter/acceptance/executed_operations.h"

#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/op.h"

namespace assay {

std::optional<ExecutedOperations::Operation> ExecutedOperations::Completed(const HloInstruction& instruction,
                                                                           std::span<const Literal> operands) {
  if (instruction.op->role != OpRole::kOrdinary) return std::nullopt;
  if (!instruction.op->legality.done.empty()) {
    begun_[&instruction].assign(operands.begin(), operands.end());
    return std::nullopt;
  }
  if (const auto begun = begun_.find(&StartOf(instruction)); begun != begun_.end()) operands = begun->second;
  return Operation{AtOnce(instruction), operands};
}

}  // namespace assay
