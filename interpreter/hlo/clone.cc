#include "interpreter/hlo/clone.h"

#include <functional>
#include <set>
#include <string_view>

#include "interpreter/hlo/instruction_places.h"

namespace assay {
namespace {

void AddCalled(const HloComputation& computation, std::set<const HloComputation*>& called) {
  if (!called.insert(&computation).second) return;
  for (const auto& instruction : computation.instructions) {
    for (const HloComputation* callee : instruction->CalledComputations()) AddCalled(*callee, called);
  }
}

// Copies the computations for which `keeps` is true. It must be true for the entry, and for every callee of a
// computation for which it is true.
std::unique_ptr<HloModule> Clone(const HloModule& module, const HloComputation& entry,
                                 const std::function<bool(const HloComputation&)>& keeps) {
  auto clone = std::make_unique<HloModule>();
  clone->name = module.name;
  clone->is_scheduled = module.is_scheduled;
  clone->replica_count = module.replica_count;
  clone->num_partitions = module.num_partitions;
  clone->entry_parameter_layouts = module.entry_parameter_layouts;
  clone->entry_result_layout = module.entry_result_layout;
  clone->header_attributes = module.header_attributes;
  clone->stack_tables = module.stack_tables;
  clone->source = module.source;
  ComputationCopier copier(*clone);
  for (const auto& computation : module.computations) {
    if (keeps(*computation)) copier.Declare(*computation);
  }
  for (const auto& computation : module.computations) {
    if (keeps(*computation)) copier.Copy(*computation);
  }
  clone->entry = &copier.Declare(entry);
  return clone;
}

// The attributes of a module that name parameters and results of its entry.
constexpr std::string_view kOfEntry[] = {"input_output_alias", "buffer_donor", "alias_passthrough_params",
                                         "allow_spmd_sharding_propagation_to_parameters",
                                         "allow_spmd_sharding_propagation_to_output"};

// Fits the header to an entry that was no entry before.
void SetHeaderOfEntry(HloModule& module) {
  SetEntryLayouts(module);
  for (const std::string_view name : kOfEntry) {
    if (const auto found = module.header_attributes.find(name); found != module.header_attributes.end()) {
      module.header_attributes.erase(found);
    }
  }
}

}  // namespace

HloComputation& ComputationCopier::Declare(const HloComputation& computation) {
  HloComputation*& copy = copies_[&computation];
  if (copy != nullptr) return *copy;
  copy = &target_.AddComputation(computation.name);
  copy->execution_thread = computation.execution_thread;
  copy->backend_config = computation.backend_config;
  copy->location = computation.location;
  return *copy;
}

HloComputation& ComputationCopier::Copy(const HloComputation& computation) {
  HloComputation& copy = Declare(computation);
  if (!copy.instructions.empty()) return copy;
  copy.instructions.reserve(computation.instructions.size());
  for (const auto& instruction : computation.instructions) {
    HloInstruction& added = copy.Add(std::make_unique<HloInstruction>(*instruction));
    for (Attribute& attribute : added.attributes) {
      if (auto** one = std::get_if<HloComputation*>(&attribute.value)) *one = copies_.at(*one);
      if (auto* many = std::get_if<std::vector<HloComputation*>>(&attribute.value)) {
        for (HloComputation*& called : *many) called = copies_.at(called);
      }
    }
  }
  const InstructionPlaces places(computation);
  const auto copy_of = [&](const HloInstruction* instruction) {
    return copy.instructions.at(places[instruction]).get();
  };
  for (const auto& instruction : copy.instructions) {
    for (HloInstruction*& operand : instruction->operands) operand = copy_of(operand);
    for (HloInstruction*& predecessor : instruction->control_predecessors) predecessor = copy_of(predecessor);
  }
  if (computation.root != nullptr) copy.root = copy_of(computation.root);
  return copy;
}

HloComputation& ComputationCopier::CopyAll(const HloModule& source) {
  for (const auto& computation : source.computations) Copy(*computation);
  return Declare(*source.entry);
}

HloInstruction& ComputationCopier::CopyOf(const HloInstruction& instruction) const {
  const auto& [computation, copy] = *copies_.find(instruction.parent);
  return *copy->instructions.at(InstructionPlaces(*computation)[&instruction]);
}

std::unique_ptr<HloModule> CloneModule(const HloModule& module) {
  return Clone(module, *module.entry, [](const HloComputation&) { return true; });
}

std::unique_ptr<HloModule> CloneWithEntry(const HloModule& module, const HloComputation& entry) {
  std::set<const HloComputation*> called;
  AddCalled(entry, called);
  auto clone = Clone(module, entry, [&](const HloComputation& computation) { return called.contains(&computation); });
  if (&entry != module.entry) SetHeaderOfEntry(*clone);
  return clone;
}

}  // namespace assay
