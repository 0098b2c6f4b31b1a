#include "conformance/judging/instruction_values.h"

#include <span>
#include <utility>

#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/op.h"

namespace assay {

Result<std::map<const HloInstruction*, InstructionValues>> EvaluateInstructions(
    const HloModule& module, const DeviceValues& arguments, const EvaluationLimits& limits,
    const std::set<const HloInstruction*>& instructions) {
  struct OfDevices {
    DeviceValues operands;
    PerDevice<Literal> results;
  };
  const std::int64_t devices = module.device_count();
  std::map<const HloInstruction*, OfDevices> seen;
  std::map<const HloInstruction*, OfDevices*> by_owner;  // of the operands
  for (const HloInstruction* instruction : instructions) {
    const std::int64_t looked_at = instruction->op->evaluation.depends_on_device ? devices : 1;
    seen[instruction] = {DeviceValues(looked_at), PerDevice<Literal>(looked_at)};
    by_owner[&OperandsOwnerOf(*instruction)] = &seen[instruction];
  }
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> operands, const Literal& result,
                            DeviceId id) {
    const auto device = static_cast<std::size_t>(FlattenedId(id, module.num_partitions));
    const auto owned = by_owner.find(&instruction);
    if (owned != by_owner.end() && device < owned->second->operands.size()) {
      owned->second->operands[device].assign(operands.begin(), operands.end());
    }
    const auto found = seen.find(&instruction);
    if (found != seen.end() && device < found->second.results.size()) found->second.results[device] = result;
  };
  ASSAY_TRY(const Literal output, EvaluateTogether(module, arguments, evaluation));
  std::map<const HloInstruction*, InstructionValues> values;
  for (auto& [instruction, of_devices] : seen) {
    values[instruction] = {std::move(of_devices.operands), OfAllDevices(std::move(of_devices.results))};
  }
  return values;
}

Result<InstructionValues> EvaluateRoot(const HloModule& module, const DeviceValues& arguments,
                                       const EvaluationLimits& limits) {
  DeviceValues operands(module.device_count());
  const HloInstruction& owner = OperandsOwnerOf(*module.entry->root);
  EvaluationOptions evaluation;
  evaluation.limits = limits;
  evaluation.observer = [&](const HloInstruction& instruction, std::span<const Literal> values, const Literal&,
                            DeviceId device) {
    if (&instruction != &owner) return;
    operands[FlattenedId(device, module.num_partitions)].assign(values.begin(), values.end());
  };
  ASSAY_TRY(Literal want, EvaluateTogether(module, arguments, evaluation));
  return InstructionValues{std::move(operands), std::move(want)};
}

}  // namespace assay
