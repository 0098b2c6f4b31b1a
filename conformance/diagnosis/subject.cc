#include "conformance/diagnosis/subject.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "interpreter/hlo/clone.h"
#include "interpreter/hlo/instruction_places.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/printer.h"
#include "interpreter/hlo/verifier.h"

namespace assay {
namespace {

std::int64_t ElementsOfLeaves(const Shape& shape) {
  if (shape.IsArray()) return ShapeUtil::ElementsIn(shape);
  std::int64_t sum = 0;
  for (const Shape& element : shape.tuple_shapes()) sum += ElementsOfLeaves(element);
  return sum;
}

void AddBytes(const Literal& value, std::string& text) {
  text += value.shape().ToString();
  if (value.shape().IsArray()) {
    text.append(reinterpret_cast<const char*>(value.data()), static_cast<std::size_t>(value.byte_size()));
  }
  for (const Literal& element : value.elements()) AddBytes(element, text);
}

bool HasSideEffect(const HloInstruction& instruction) {
  const OpEvaluation& evaluation = instruction.op->evaluation;
  if (evaluation.has_side_effect) return true;
  const bool has_flag = !evaluation.side_effect_flag.text().empty();
  if (has_flag && instruction.IsSet(evaluation.side_effect_flag)) return true;
  return std::ranges::any_of(instruction.CalledComputations(), [](const HloComputation* called) {
    return std::ranges::any_of(called->instructions, [](const auto& inner) { return HasSideEffect(*inner); });
  });
}

// Returns the instructions that the root and the side effects of a computation need, by their places.
std::vector<bool> Live(const HloComputation& computation, const InstructionPlaces& places) {
  std::vector<bool> live(places.size() + 1);  // the last entry is for instructions of other computations
  std::vector<const HloInstruction*> open = {computation.root};
  for (const auto& instruction : computation.instructions) {
    if (HasSideEffect(*instruction)) open.push_back(instruction.get());
  }
  while (!open.empty()) {
    const HloInstruction* instruction = open.back();
    open.pop_back();
    const std::size_t place = places[instruction];
    if (live[place]) continue;
    live[place] = true;
    open.insert(open.end(), instruction->operands.begin(), instruction->operands.end());
  }
  return live;
}

void RemoveDead(HloModule& module) {
  for (const auto& computation : module.computations) {
    const InstructionPlaces places(*computation);
    const std::vector<bool> live = Live(*computation, places);
    const bool is_entry = computation.get() == module.entry;
    const auto stays = [&](const HloInstruction& instruction) {
      return live[places[&instruction]] || (!is_entry && instruction.op->role == OpRole::kParameter);
    };
    for (const auto& instruction : computation->instructions) {
      std::erase_if(instruction->control_predecessors, [&](const auto* before) { return !stays(*before); });
    }
    std::erase_if(computation->instructions, [&](const auto& instruction) { return !stays(*instruction); });
  }
}

void RemoveUncalled(HloModule& module) {
  std::unordered_set<const HloComputation*> called;
  std::vector<const HloComputation*> open = {module.entry};
  while (!open.empty()) {
    const HloComputation* computation = open.back();
    open.pop_back();
    if (!called.insert(computation).second) continue;
    for (const auto& instruction : computation->instructions) {
      for (const HloComputation* callee : instruction->CalledComputations()) open.push_back(callee);
    }
  }
  std::erase_if(module.computations, [&](const auto& computation) { return !called.contains(computation.get()); });
}

// Renumbers the parameters of the entry in the order of their old numbers.
void RenumberParameters(Candidate& candidate) {
  HloModule& module = *candidate.module;
  std::map<std::int64_t, HloInstruction*> by_number;
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->op->role == OpRole::kParameter) by_number[instruction->parameter_number] = instruction.get();
  }
  DeviceValues arguments(candidate.arguments.size());
  module.entry_parameter_layouts.clear();
  for (const auto& [number, parameter] : by_number) {
    for (std::size_t device = 0; device < arguments.size(); ++device) {
      arguments[device].push_back(std::move(candidate.ArgumentOf(*parameter, device)));
    }
    parameter->parameter_number = std::ssize(module.entry_parameter_layouts);
    module.entry_parameter_layouts.push_back(parameter->shape);
  }
  candidate.arguments = std::move(arguments);
  module.entry_result_layout = module.entry->root->shape;
  // Aliases and donors refer to parameter numbers; the other header attributes have no meaning here.
  module.header_attributes.clear();
}

}  // namespace

SubjectSize SizeOf(const Subject& subject) {
  SubjectSize size;
  for (const auto& computation : subject.module->computations) {
    size.instructions += std::ssize(computation->instructions);
    for (const auto& instruction : computation->instructions) size.elements += ElementsOfLeaves(instruction->shape);
  }
  return size;
}

std::string TextOf(const Subject& subject) {
  std::string text = PrintHloModule(*subject.module, PrintOptions::Exact());
  for (const std::vector<Literal>& device : subject.arguments) {
    for (const Literal& value : device) AddBytes(value, text);
  }
  return text;
}

Candidate Candidate::Of(const Subject& subject) { return {CloneModule(*subject.module), subject.arguments}; }

HloInstruction& Candidate::AddParameter(const Shape& shape, const PerDevice<Literal>& values) {
  HloInstruction& parameter = InsertAt(*module->entry, 0, OpRole::kParameter, shape);
  parameter.parameter_number = std::ssize(arguments[0]);
  for (std::size_t device = 0; device < arguments.size(); ++device) arguments[device].push_back(values[device]);
  return parameter;
}

HloInstruction& InsertAt(HloComputation& computation, std::size_t place, OpRole role, const Shape& shape,
                         std::vector<HloInstruction*> operands) {
  auto instruction = MakeInstruction(role, shape, std::move(operands));
  instruction->parent = &computation;
  const auto at = computation.instructions.begin() + static_cast<std::ptrdiff_t>(place);
  return **computation.instructions.insert(at, std::move(instruction));
}

std::size_t PlaceOf(const HloInstruction& instruction) {
  const auto& all = instruction.parent->instructions;
  return std::ranges::find(all, &instruction, [](const auto& one) { return one.get(); }) - all.begin();
}

void ReplaceUses(HloInstruction& old, HloInstruction& now) {
  for (const auto& instruction : old.parent->instructions) std::ranges::replace(instruction->operands, &old, &now);
  if (old.parent->root == &old) old.parent->root = &now;
}

HloInstruction& InlineAt(HloComputation& into, std::size_t place, const HloComputation& callee,
                         const std::vector<HloInstruction*>& arguments) {
  std::unordered_map<const HloInstruction*, HloInstruction*> copies;
  for (const auto& instruction : callee.instructions) {
    if (instruction->op->role == OpRole::kParameter) {
      copies[instruction.get()] = arguments[static_cast<std::size_t>(instruction->parameter_number)];
      continue;
    }
    auto copy = std::make_unique<HloInstruction>(*instruction);
    copy->parent = &into;
    for (HloInstruction*& operand : copy->operands) operand = copies.at(operand);
    for (HloInstruction*& before : copy->control_predecessors) before = copies.at(before);
    copies[instruction.get()] = copy.get();
    into.instructions.insert(into.instructions.begin() + static_cast<std::ptrdiff_t>(place++), std::move(copy));
  }
  return *copies.at(callee.root);
}

std::optional<Subject> Finish(Candidate candidate) {
  RemoveDead(*candidate.module);
  RemoveUncalled(*candidate.module);
  RenumberParameters(candidate);
  MakeNamesUnique(*candidate.module);
  if (!VerifyHloModule(*candidate.module)) return std::nullopt;
  return Subject{std::move(candidate.module), std::move(candidate.arguments)};
}

std::vector<InstructionPlace> PlacesFromTheEnd(const HloModule& module) {
  std::vector<InstructionPlace> places;
  for (std::size_t c = module.computations.size(); c-- > 0;) {
    for (std::size_t i = module.computations[c]->instructions.size(); i-- > 0;) places.push_back({c, i});
  }
  return places;
}

}  // namespace assay
