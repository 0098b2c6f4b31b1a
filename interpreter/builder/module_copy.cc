#include "interpreter/builder/module_copy.h"

#include "interpreter/hlo/instruction_places.h"

namespace assay::xla {

HloComputation& ComputationCopier::Copy(const HloComputation& computation) {
  HloComputation*& known = computations_[&computation];
  if (known != nullptr) return *known;
  HloComputation& copy = target_.AddComputation(computation.name);
  copy.execution_thread = computation.execution_thread;
  copy.backend_config = computation.backend_config;
  copy.location = computation.location;
  const InstructionPlaces places(computation);
  const auto copy_of = [&](const HloInstruction* instruction) {
    return copy.instructions.at(places[instruction]).get();
  };
  copy.instructions.reserve(places.size());
  for (const auto& instruction : computation.instructions) {
    HloInstruction& added = copy.Add(std::make_unique<HloInstruction>(*instruction));
    for (HloInstruction*& operand : added.operands) operand = copy_of(operand);
    for (HloInstruction*& predecessor : added.control_predecessors) predecessor = copy_of(predecessor);
    for (Attribute& attribute : added.attributes) {
      if (auto** one = std::get_if<HloComputation*>(&attribute.value)) *one = computations_.at(*one);
      if (auto* many = std::get_if<std::vector<HloComputation*>>(&attribute.value)) {
        for (HloComputation*& called : *many) called = computations_.at(called);
      }
    }
  }
  if (computation.root != nullptr) copy.root = copy_of(computation.root);
  return *(known = &copy);
}

HloInstruction& ComputationCopier::CopyOf(const HloInstruction& instruction) const {
  const auto& [computation, copy] = *computations_.find(instruction.parent);
  return *copy->instructions.at(InstructionPlaces(*computation)[&instruction]);
}

HloComputation& ComputationCopier::CopyAll(const HloModule& source) {
  for (const auto& computation : source.computations) Copy(*computation);
  return *computations_.at(source.entry);
}

}  // namespace assay::xla
