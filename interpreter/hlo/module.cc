#include "interpreter/hlo/module.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/hlo/names.h"
#include "interpreter/hlo/op.h"
#include "interpreter/types/check.h"

namespace assay {
namespace {

const AttributeSpec& SpecOf(const HloInstruction& instruction, AttributeName attribute) {
  const AttributeSpec* spec = instruction.op->FindAttribute(attribute);
  ASSAY_CHECK(spec != nullptr, fmt::format("{} has no attribute {}", instruction.op->name, attribute));
  return *spec;
}

// Returns the value of an attribute, or the default of the op's record, or null.
template <class T>
const T* FindOrDefault(const HloInstruction& instruction, AttributeName attribute) {
  for (const Attribute& a : instruction.attributes) {
    if (a.name != attribute) continue;
    const T* value = std::get_if<T>(&a.value);
    ASSAY_CHECK(value != nullptr, fmt::format("{} of {} is of another kind", attribute, instruction.op->name));
    return value;
  }
  return std::get_if<T>(&SpecOf(instruction, attribute).default_value);
}

}  // namespace

AttributeValue::AttributeValue() = default;
template <class T>
requires kIsAlternative<T, AttributeValueOf> AttributeValue::AttributeValue(T value)
    : AttributeValueOf(std::in_place_type<T>, std::move(value)) {}
template AttributeValue::AttributeValue(std::monostate);
template AttributeValue::AttributeValue(bool);
template AttributeValue::AttributeValue(std::int64_t);
template AttributeValue::AttributeValue(double);
template AttributeValue::AttributeValue(std::string);
template AttributeValue::AttributeValue(Int64List);
template AttributeValue::AttributeValue(std::vector<bool>);
template AttributeValue::AttributeValue(std::vector<Int64List>);
template AttributeValue::AttributeValue(Window);
template AttributeValue::AttributeValue(PaddingConfig);
template AttributeValue::AttributeValue(SliceConfig);
template AttributeValue::AttributeValue(ConvolutionDimensionNumbers);
template AttributeValue::AttributeValue(std::vector<std::string>);
template AttributeValue::AttributeValue(HloComputation*);
template AttributeValue::AttributeValue(std::vector<HloComputation*>);
template AttributeValue::AttributeValue(ReplicaGroups);
template AttributeValue::AttributeValue(std::vector<OutputOperandAlias>);
template AttributeValue::AttributeValue(Shape);
template AttributeValue::AttributeValue(std::vector<Shape>);
template AttributeValue::AttributeValue(Literal);
AttributeValue::AttributeValue(const AttributeValue& other) = default;
AttributeValue::AttributeValue(AttributeValue&& other) noexcept = default;
AttributeValue& AttributeValue::operator=(const AttributeValue& other) = default;
AttributeValue& AttributeValue::operator=(AttributeValue&& other) noexcept = default;
AttributeValue::~AttributeValue() = default;

AttributeSpec::~AttributeSpec() = default;

AttributeSpecs::AttributeSpecs(std::initializer_list<AttributeSpec> specs)
    : specs_(std::make_shared<const std::vector<AttributeSpec>>(specs)),
      have_computations_(std::ranges::any_of(*specs_, [](const AttributeSpec& spec) {
        return spec.kind == AttributeKind::kComputation || spec.kind == AttributeKind::kComputationList;
      })) {}

std::shared_ptr<const std::vector<AttributeSpec>> AttributeSpecs::None() {
  static const auto none = std::make_shared<const std::vector<AttributeSpec>>();
  return none;
}

bool HloInstruction::Has(AttributeName attribute) const {
  return std::ranges::any_of(attributes, [&](const Attribute& a) { return a.name == attribute; });
}

void HloInstruction::Set(AttributeName attribute, AttributeValue value) {
  for (Attribute& a : attributes) {
    if (a.name == attribute) {
      a.value = std::move(value);
      return;
    }
  }
  attributes.push_back({SpecOf(*this, attribute).name, std::move(value)});
}

std::int64_t HloInstruction::Int64(AttributeName attribute) const {
  const auto* value = FindOrDefault<std::int64_t>(*this, attribute);
  return value == nullptr ? 0 : *value;
}

double HloInstruction::Float(AttributeName attribute) const {
  const auto* value = FindOrDefault<double>(*this, attribute);
  return value == nullptr ? 0 : *value;
}

bool HloInstruction::Bool(AttributeName attribute) const {
  const auto* value = FindOrDefault<bool>(*this, attribute);
  return value != nullptr && *value;
}

bool HloInstruction::IsSet(AttributeName flag) const { return op->FindAttribute(flag) != nullptr && Bool(flag); }

std::string_view HloInstruction::String(AttributeName attribute) const {
  const auto* value = FindOrDefault<std::string>(*this, attribute);
  return value == nullptr ? std::string_view() : *value;
}

std::span<const std::int64_t> HloInstruction::Int64s(AttributeName attribute) const {
  const auto* value = FindOrDefault<Int64List>(*this, attribute);
  return value == nullptr ? std::span<const std::int64_t>() : *value;
}

const Window& HloInstruction::window() const {
  static const Window kNone;
  const auto* value = Find<Window>("window");
  return value == nullptr ? kNone : *value;
}

HloComputation& HloInstruction::Computation(AttributeName attribute) const {
  auto* const* computation = Find<HloComputation*>(attribute);
  ASSAY_CHECK(computation != nullptr, fmt::format("{} has no {}", name, attribute));
  return **computation;
}

std::span<HloComputation* const> HloInstruction::Computations(AttributeName attribute) const {
  const auto* value = Find<std::vector<HloComputation*>>(attribute);
  return value == nullptr ? std::span<HloComputation* const>() : *value;
}

std::vector<HloComputation*> HloInstruction::CalledComputations() const {
  if (!op->syntax.attributes.have_computations()) return {};
  std::vector<HloComputation*> called;
  for (const bool last : {false, true}) {
    for (const AttributeSpec& spec : op->syntax.attributes) {
      if (spec.visited_last != last) continue;
      if (auto* const* one = Find<HloComputation*>(spec.name)) called.push_back(*one);
      const auto many = Computations(spec.name);
      called.insert(called.end(), many.begin(), many.end());
    }
  }
  return called;
}

bool HloInstruction::IsRoot() const { return parent->root == this; }

std::vector<const HloInstruction*> HloComputation::Parameters() const {
  std::size_t count = 0;
  const auto number_of = [](const auto& parameter) { return static_cast<std::size_t>(parameter->parameter_number); };
  for (const auto& instruction : instructions) {
    if (instruction->op->role == OpRole::kParameter) count = std::max(count, number_of(instruction) + 1);
  }
  std::vector<const HloInstruction*> parameters(count);
  for (const auto& instruction : instructions) {
    if (instruction->op->role == OpRole::kParameter) parameters.at(number_of(instruction)) = instruction.get();
  }
  return parameters;
}

HloInstruction& HloComputation::Add(std::unique_ptr<HloInstruction> instruction) {
  instruction->parent = this;
  instructions.push_back(std::move(instruction));
  return *instructions.back();
}

HloComputation& HloModule::AddComputation(std::string computation_name) {
  computations.push_back(std::make_unique<HloComputation>());
  computations.back()->name = std::move(computation_name);
  computations.back()->module = this;
  return *computations.back();
}

const HloComputation* HloModule::FindComputation(std::string_view computation_name) const {
  for (const auto& computation : computations) {
    if (computation->name == computation_name) return computation.get();
  }
  return nullptr;
}

void SetEntryLayouts(HloModule& module) {
  module.entry_parameter_layouts.clear();
  for (const HloInstruction* parameter : module.entry->Parameters()) {
    if (parameter != nullptr) module.entry_parameter_layouts.push_back(parameter->shape);
  }
  module.entry_result_layout = module.entry->root != nullptr ? module.entry->root->shape : Shape();
}

void MakeNamesUnique(HloModule& module) {
  NameUniquer computation_names, instruction_names;
  for (const auto& computation : module.computations) {
    computation->name = computation_names.Unique(computation->name);
    for (const auto& instruction : computation->instructions) {
      instruction->name = instruction_names.Unique(instruction->name);
    }
  }
}

}  // namespace assay
