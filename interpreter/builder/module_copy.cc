#include "interpreter/builder/module_copy.h"

namespace assay::xla {

HloComputation& ComputationCopier::Copy(const HloComputation& computation) {
  HloComputation*& known = computations_[&computation];
  if (known != nullptr) return *known;
  HloComputation& copy = target_.AddComputation(computation.name);
  copy.execution_thread = computation.execution_thread;
  copy.backend_config = computation.backend_config;
  copy.location = computation.location;
  for (const auto& instruction : computation.instructions) {
    HloInstruction& added = copy.Add(std::make_unique<HloInstruction>(*instruction));
    for (HloInstruction*& operand : added.operands) operand = instructions_.at(operand);
    for (HloInstruction*& predecessor : added.control_predecessors) predecessor = instructions_.at(predecessor);
    for (Attribute& attribute : added.attributes) {
      if (auto** one = std::get_if<HloComputation*>(&attribute.value)) *one = computations_.at(*one);
      if (auto* many = std::get_if<std::vector<HloComputation*>>(&attribute.value)) {
        for (HloComputation*& called : *many) called = computations_.at(called);
      }
    }
    instructions_[instruction.get()] = &added;
  }
  if (computation.root != nullptr) copy.root = instructions_.at(computation.root);
  return *(known = &copy);
}

HloComputation& ComputationCopier::CopyAll(const HloModule& source) {
  for (const auto& computation : source.computations) Copy(*computation);
  return *computations_.at(source.entry);
}

}  // namespace assay::xla
