#include "interpreter/hlo/extract.h"

#include <fmt/format.h>

#include <map>

#include "interpreter/hlo/op.h"

namespace assay {
namespace {

class Extractor {
 public:
  Extractor(HloModule& target, const std::function<PrimitiveType(PrimitiveType)>& retype)
      : target_(target), retype_(retype) {}

  Shape Retyped(Shape shape) const {
    if (!retype_) return shape;
    if (shape.IsArray()) shape.set_element_type(retype_(shape.element_type()));
    for (Shape& element : shape.mutable_tuple_shapes()) element = Retyped(element);
    return shape;
  }

  // A copy without operands, in a computation of the target.
  HloInstruction& Copy(const HloInstruction& instruction, HloComputation& into, std::string name) {
    auto copy = std::make_unique<HloInstruction>();
    copy->op = instruction.op;
    copy->name = std::move(name);
    copy->shape = Retyped(instruction.shape);
    copy->attributes = instruction.attributes;
    copy->parameter_number = instruction.parameter_number;
    copy->literal = instruction.literal;
    const auto config = instruction.annotations.find("backend_config");
    if (instruction.op->acceptance.reads_backend_config && config != instruction.annotations.end()) {
      copy->annotations.insert(*config);
    }
    for (Attribute& attribute : copy->attributes) {
      if (auto** one = std::get_if<HloComputation*>(&attribute.value)) *one = &CopyComputation(**one);
      if (auto* many = std::get_if<std::vector<HloComputation*>>(&attribute.value)) {
        for (HloComputation*& computation : *many) computation = &CopyComputation(*computation);
      }
    }
    return into.Add(std::move(copy));
  }

  HloComputation& CopyComputation(const HloComputation& computation) {
    if (const auto it = copies_.find(&computation); it != copies_.end()) return *it->second;
    auto copy = std::make_unique<HloComputation>();
    copy->name = fmt::format("{}.{}", computation.name, copies_.size());
    copy->module = &target_;
    copy->execution_thread = computation.execution_thread;
    std::map<const HloInstruction*, HloInstruction*> made;
    for (const auto& instruction : computation.instructions) {
      HloInstruction& inner = Copy(*instruction, *copy, fmt::format("{}.{}", instruction->name, copies_.size()));
      for (const HloInstruction* operand : instruction->operands) inner.operands.push_back(made.at(operand));
      made[instruction.get()] = &inner;
    }
    copy->root = made.at(computation.root);
    // Callees have been added by now: a module lists them before their callers.
    target_.computations.push_back(std::move(copy));
    return *(copies_[&computation] = target_.computations.back().get());
  }

 private:
  HloModule& target_;
  const std::function<PrimitiveType(PrimitiveType)>& retype_;
  std::map<const HloComputation*, HloComputation*> copies_;
};

}  // namespace

std::unique_ptr<HloModule> ExtractInstructions(std::span<const HloInstruction* const> instructions,
                                               const std::function<PrimitiveType(PrimitiveType)>& retype) {
  auto module = std::make_unique<HloModule>();
  module->name = "piece";
  auto entry = std::make_unique<HloComputation>();
  entry->name = "entry";
  entry->module = module.get();
  Extractor extractor(*module, retype);
  std::vector<HloInstruction*> results;
  for (const HloInstruction* instruction : instructions) {
    if (instruction->op->evaluation.depends_on_device && instruction->parent != nullptr) {
      module->replica_count = instruction->parent->module->replica_count;
      module->num_partitions = instruction->parent->module->num_partitions;
    }
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : instruction->operands) {
      auto parameter = std::make_unique<HloInstruction>();
      parameter->op = OpWithRole(OpRole::kParameter);
      parameter->parameter_number = static_cast<std::int64_t>(module->entry_parameter_layouts.size());
      parameter->name = fmt::format("p{}", parameter->parameter_number);
      parameter->shape = extractor.Retyped(operand->shape);
      module->entry_parameter_layouts.push_back(parameter->shape);
      operands.push_back(&entry->Add(std::move(parameter)));
    }
    HloInstruction& copy = extractor.Copy(*instruction, *entry, fmt::format("r{}", results.size()));
    copy.operands = std::move(operands);
    results.push_back(&copy);
  }
  if (results.size() == 1) {
    entry->root = results[0];
  } else {
    auto tuple = std::make_unique<HloInstruction>();
    tuple->op = OpWithRole(OpRole::kTuple);
    tuple->name = "results";
    std::vector<Shape> shapes;
    for (const HloInstruction* result : results) shapes.push_back(result->shape);
    tuple->shape = ShapeUtil::MakeTupleShape(std::move(shapes));
    tuple->operands = results;
    entry->root = &entry->Add(std::move(tuple));
  }
  module->entry_result_layout = entry->root->shape;
  module->computations.push_back(std::move(entry));
  module->entry = module->computations.back().get();
  return module;
}

}  // namespace assay
