#include "interpreter/hlo/clone.h"

#include <unordered_map>

namespace assay {
namespace {

using Computations = std::unordered_map<const HloComputation*, HloComputation*>;
using Instructions = std::unordered_map<const HloInstruction*, HloInstruction*>;

void RedirectCalls(HloInstruction& instruction, const Computations& copies) {
  for (Attribute& attribute : instruction.attributes) {
    if (auto** one = std::get_if<HloComputation*>(&attribute.value)) *one = copies.at(*one);
    if (auto* many = std::get_if<std::vector<HloComputation*>>(&attribute.value)) {
      for (HloComputation*& computation : *many) computation = copies.at(computation);
    }
  }
}

void CopyInstructions(const HloComputation& from, HloComputation& into, const Computations& copies) {
  Instructions made;
  for (const auto& instruction : from.instructions) {
    auto copy = std::make_unique<HloInstruction>(*instruction);
    copy->parent = &into;
    RedirectCalls(*copy, copies);
    made[instruction.get()] = copy.get();
    into.instructions.push_back(std::move(copy));
  }
  for (const auto& instruction : into.instructions) {
    for (HloInstruction*& operand : instruction->operands) operand = made.at(operand);
    for (HloInstruction*& predecessor : instruction->control_predecessors) predecessor = made.at(predecessor);
  }
  if (from.root != nullptr) into.root = made.at(from.root);
}

}  // namespace

std::unique_ptr<HloModule> CloneModule(const HloModule& module) {
  auto clone = std::make_unique<HloModule>();
  clone->name = module.name;
  clone->is_scheduled = module.is_scheduled;
  clone->replica_count = module.replica_count;
  clone->num_partitions = module.num_partitions;
  clone->entry_parameter_layouts = module.entry_parameter_layouts;
  clone->entry_result_layout = module.entry_result_layout;
  clone->header_attributes = module.header_attributes;
  clone->stack_tables = module.stack_tables;
  Computations copies;
  for (const auto& computation : module.computations) {
    auto copy = std::make_unique<HloComputation>();
    copy->name = computation->name;
    copy->module = clone.get();
    copy->execution_thread = computation->execution_thread;
    copy->backend_config = computation->backend_config;
    copy->location = computation->location;
    copies[computation.get()] = copy.get();
    clone->computations.push_back(std::move(copy));
  }
  for (const auto& computation : module.computations) {
    CopyInstructions(*computation, *copies.at(computation.get()), copies);
  }
  clone->entry = copies.at(module.entry);
  return clone;
}

}  // namespace assay
