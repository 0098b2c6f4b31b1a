#include <algorithm>

#include "conformance/diagnosis/steps.h"

namespace assay {

bool CanBeArgument(const Literal& value) {
  if (value.shape().IsTuple()) return std::ranges::all_of(value.elements(), CanBeArgument);
  return value.promise() == nullptr && !value.has_dynamic_sizes() &&
         (value.shape().IsArray() || value.shape().IsToken());
}

Result<EntryValues> ValuesOfEntry(const Subject& subject, const EvaluationLimits& limits) {
  const HloModule& module = *subject.module;
  const auto devices = std::ssize(subject.arguments);
  EntryValues values;
  EvaluationOptions options;
  options.limits = limits;
  options.observer = [&](const HloInstruction& instruction, std::span<const Literal>, const Literal& result,
                         DeviceId id) {
    if (instruction.parent != module.entry) return;
    PerDevice<Literal>& of_devices = values.try_emplace(&instruction, devices).first->second;
    of_devices[FlattenedId(id, module.num_partitions)] = result;
  };
  ASSAY_TRY(const Literal output, EvaluateTogether(module, subject.arguments, options));
  // Adds the values of instructions that the observer is not called for.
  for (const auto& instruction : module.entry->instructions) {
    if (values.contains(instruction.get())) continue;
    PerDevice<Literal> of_devices;
    for (std::ptrdiff_t device = 0; device < devices; ++device) {
      if (instruction->op->role == OpRole::kParameter) {
        of_devices.push_back(subject.arguments[device][static_cast<std::size_t>(instruction->parameter_number)]);
      } else if (instruction->literal) {
        of_devices.push_back(*instruction->literal);
      } else if (instruction->op->role == OpRole::kGetTupleElement && values.contains(instruction->operands[0])) {
        const Literal& tuple = values.at(instruction->operands[0])[device];
        const auto index = static_cast<std::size_t>(instruction->tuple_index());
        if (index < tuple.elements().size()) of_devices.push_back(tuple.elements()[index]);
      }
    }
    if (std::ssize(of_devices) == devices) values[instruction.get()] = std::move(of_devices);
  }
  std::erase_if(values, [](const auto& entry) { return !std::ranges::all_of(entry.second, CanBeArgument); });
  return values;
}

}  // namespace assay
