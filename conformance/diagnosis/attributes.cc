#include <algorithm>
#include <type_traits>
#include <variant>

#include "conformance/diagnosis/steps.h"

namespace assay {
namespace {

void DropLayout(Shape& shape) {
  if (shape.IsArray()) shape.set_default_layout();
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) DropLayout(shape.mutable_tuple_shapes()[i]);
}

// True if an instruction has no annotations, control predecessors, result accuracy or non-default layout.
bool IsPlain(const HloInstruction& instruction) {
  Shape plain = instruction.shape;
  DropLayout(plain);
  return instruction.annotations.empty() && instruction.control_predecessors.empty() && !instruction.result_accuracy &&
         plain == instruction.shape;
}

void MakePlain(HloInstruction& instruction) {
  instruction.annotations.clear();
  instruction.control_predecessors.clear();
  instruction.result_accuracy.reset();
  DropLayout(instruction.shape);
}

bool AllPlain(Candidate& candidate) {
  candidate.module->stack_tables.clear();
  candidate.module->is_scheduled = false;
  for (const auto& computation : candidate.module->computations) {
    for (const auto& instruction : computation->instructions) MakePlain(*instruction);
  }
  return true;
}

Edit OnePlain(InstructionPlace place) {
  return [place](Candidate& candidate) {
    MakePlain(place.In(*candidate.module));
    return true;
  };
}

// Reduces the module to one device with its arguments.
Edit OneDevice(std::size_t device) {
  return [device](Candidate& candidate) {
    candidate.module->replica_count = candidate.module->num_partitions = 1;
    candidate.arguments = {candidate.arguments[device]};
    return true;
  };
}

// Returns simpler values of an attribute; an empty value removes the attribute.
std::vector<AttributeValue> SimplerValues(const AttributeSpec& spec, const AttributeValue& value) {
  std::vector<AttributeValue> simpler;
  if (!spec.required) simpler.emplace_back();
  if (!std::holds_alternative<std::monostate>(spec.default_value)) simpler.push_back(spec.default_value);
  if (const auto* flag = std::get_if<bool>(&value); flag != nullptr && *flag) simpler.emplace_back(false);
  if (const auto* window = std::get_if<Window>(&value)) {
    for (std::size_t d = 0; d < window->dimensions.size(); ++d) {
      const auto add = [&](auto field, auto plain) {
        if (window->dimensions[d].*field == plain) return;
        Window changed = *window;
        changed.dimensions[d].*field = plain;
        simpler.emplace_back(std::move(changed));
      };
      add(&WindowDimension::window_reversal, false);
      add(&WindowDimension::base_dilation, std::int64_t{1});
      add(&WindowDimension::window_dilation, std::int64_t{1});
      add(&WindowDimension::padding_low, std::int64_t{0});
      add(&WindowDimension::padding_high, std::int64_t{0});
      add(&WindowDimension::stride, std::int64_t{1});
      add(&WindowDimension::size, std::int64_t{1});
    }
  }
  if (const auto* padding = std::get_if<PaddingConfig>(&value)) {
    for (std::size_t d = 0; d < padding->size(); ++d) {
      for (const auto field : {&PaddingConfigDimension::interior_padding, &PaddingConfigDimension::edge_padding_low,
                               &PaddingConfigDimension::edge_padding_high}) {
        if ((*padding)[d].*field == 0) continue;
        PaddingConfig changed = *padding;
        changed[d].*field = 0;
        simpler.emplace_back(std::move(changed));
      }
    }
  }
  return simpler;
}

Edit SetAttribute(InstructionPlace place, AttributeName name, AttributeValue value) {
  return [=](Candidate& candidate) {
    HloInstruction& instruction = place.In(*candidate.module);
    std::erase_if(instruction.attributes, [&](const Attribute& attribute) { return attribute.name == name; });
    if (!std::holds_alternative<std::monostate>(value)) instruction.attributes.push_back({name, value});
    return InferShapesAfter(*candidate.module, instruction);
  };
}

}  // namespace

std::vector<Edit> AttributeEdits(const Subject& subject, const EvaluationLimits&) {
  const HloModule& module = *subject.module;
  std::vector<Edit> edits;
  for (std::size_t device = 0; subject.arguments.size() > 1 && device < subject.arguments.size(); ++device) {
    edits.push_back(OneDevice(device));
  }
  const std::vector<InstructionPlace> places = PlacesFromTheEnd(module);
  const auto is_plain = [&](const InstructionPlace& place) { return IsPlain(place.In(module)); };
  if (module.is_scheduled || !module.stack_tables.empty() || !std::ranges::all_of(places, is_plain)) {
    edits.emplace_back(AllPlain);
  }
  for (const InstructionPlace& place : places) {
    if (!is_plain(place)) edits.push_back(OnePlain(place));
  }
  for (const InstructionPlace& place : places) {
    const HloInstruction& instruction = place.In(module);
    for (const Attribute& attribute : instruction.attributes) {
      const AttributeSpec* const spec = instruction.op->FindAttribute(attribute.name);
      if (spec == nullptr || spec->print == PrintRule::kNever) continue;
      for (const AttributeValue& value : SimplerValues(*spec, attribute.value)) {
        edits.push_back(SetAttribute(place, attribute.name, value));
      }
    }
  }
  return edits;
}

}  // namespace assay
