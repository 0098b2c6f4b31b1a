#include "interpreter/hlo/clone.h"

#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "interpreter/hlo/instruction_places.h"

namespace assay {
namespace {

using Computations = std::unordered_map<const HloComputation*, HloComputation*>;

void RedirectCalls(HloInstruction& instruction, const Computations& copies) {
  for (Attribute& attribute : instruction.attributes) {
    if (auto** one = std::get_if<HloComputation*>(&attribute.value)) *one = copies.at(*one);
    if (auto* many = std::get_if<std::vector<HloComputation*>>(&attribute.value)) {
      for (HloComputation*& computation : *many) computation = copies.at(computation);
    }
  }
}

void CopyInstructions(const HloComputation& from, HloComputation& into, const Computations& copies) {
  into.instructions.reserve(from.instructions.size());
  for (const auto& instruction : from.instructions) {
    auto copy = std::make_unique<HloInstruction>(*instruction);
    copy->parent = &into;
    RedirectCalls(*copy, copies);
    into.instructions.push_back(std::move(copy));
  }
  const InstructionPlaces places(from);
  const auto copy_of = [&](const HloInstruction* instruction) {
    return into.instructions.at(places[instruction]).get();
  };
  for (const auto& instruction : into.instructions) {
    for (HloInstruction*& operand : instruction->operands) operand = copy_of(operand);
    for (HloInstruction*& predecessor : instruction->control_predecessors) predecessor = copy_of(predecessor);
  }
  if (from.root != nullptr) into.root = copy_of(from.root);
}

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
  Computations copies;
  for (const auto& computation : module.computations) {
    if (!keeps(*computation)) continue;
    auto copy = std::make_unique<HloComputation>();
    copy->name = computation->name;
    copy->module = clone.get();
    copy->execution_thread = computation->execution_thread;
    copy->backend_config = computation->backend_config;
    copy->location = computation->location;
    copies[computation.get()] = copy.get();
    clone->computations.push_back(std::move(copy));
  }
  for (const auto& [computation, copy] : copies) CopyInstructions(*computation, *copy, copies);
  clone->entry = copies.at(&entry);
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
