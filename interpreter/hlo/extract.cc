#include "interpreter/hlo/extract.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "interpreter/hlo/async_pairs.h"
#include "interpreter/hlo/make_instruction.h"
#include "interpreter/hlo/op.h"
#include "interpreter/numerics/convert.h"

namespace assay {
namespace {

class Extractor {
 public:
  Extractor(HloModule& target, const std::function<PrimitiveType(PrimitiveType)>& retype)
      : target_(target), retype_(retype) {}

  Shape WithType(Shape shape) const {
    if (!retype_) return shape;
    if (shape.IsArray()) shape.set_element_type(retype_(shape.element_type()));
    for (Shape& element : shape.mutable_tuple_shapes()) element = WithType(element);
    return shape;
  }

  Literal WithType(const Literal& literal) const {
    if (!retype_) return literal;
    if (literal.shape().IsTuple()) {
      std::vector<Literal> elements;
      for (const Literal& element : literal.elements()) elements.push_back(WithType(element));
      return Literal::MakeTuple(std::move(elements));
    }
    const Shape shape = WithType(literal.shape());
    if (shape.element_type() == literal.element_type()) return literal;
    Literal retyped = Literal::Uninitialized(shape);
    Convert(literal.element_type(), literal.data(), shape.element_type(), retyped.mutable_data(),
            literal.element_count());
    return retyped;
  }

  // Adds a copy without operands to a computation of the target.
  HloInstruction& Copy(const HloInstruction& instruction, HloComputation& into, std::string name) {
    auto copy = std::make_unique<HloInstruction>();
    copy->op = instruction.op;
    copy->name = std::move(name);
    copy->shape = WithType(instruction.shape);
    copy->attributes = instruction.attributes;
    copy->result_accuracy = instruction.result_accuracy;
    copy->parameter_number = instruction.parameter_number;
    if (instruction.literal) copy->literal = WithType(*instruction.literal);
    const auto config = instruction.annotations.find("backend_config");
    if (instruction.op->evaluation.reads_backend_config && config != instruction.annotations.end()) {
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
    // The callees have been added already: a module lists them before their callers.
    target_.computations.push_back(std::move(copy));
    return *(copies_[&computation] = target_.computations.back().get());
  }

 private:
  HloModule& target_;
  const std::function<PrimitiveType(PrimitiveType)>& retype_;
  std::map<const HloComputation*, HloComputation*> copies_;
};

// Builds the entry of a region.
class RegionBuilder {
 public:
  RegionBuilder(const HloComputation& computation, const std::set<const HloInstruction*>& computed)
      : computation_(computation), computed_(computed), region_{std::make_unique<HloModule>(), {}, {}} {
    region_.module->name = "region";
    entry_ = std::make_unique<HloComputation>();
    entry_->name = "entry";
    entry_->module = region_.module.get();
  }

  Region Build(std::vector<const HloInstruction*> results) {
    if (results.empty()) results = Sinks();
    MakeParameters(results);
    for (const auto& instruction : computation_.instructions) {
      if (computed_.contains(instruction.get())) Copy(*instruction);
    }
    region_.results = std::move(results);
    entry_->root = Root();
    HloModule& module = *region_.module;
    module.entry_result_layout = entry_->root->shape;
    module.computations.push_back(std::move(entry_));
    module.entry = module.computations.back().get();
    return std::move(region_);
  }

 private:
  // True for instructions that are copied for every use.
  bool IsFree(const HloInstruction& instruction) const {
    return instruction.op->role == OpRole::kConstant || instruction.op->role == OpRole::kTuple;
  }

  std::vector<const HloInstruction*> Sinks() const {
    std::set<const HloInstruction*> used;
    for (const HloInstruction* instruction : computed_) {
      used.insert(instruction->operands.begin(), instruction->operands.end());
    }
    std::vector<const HloInstruction*> sinks;
    for (const auto& instruction : computation_.instructions) {
      if (computed_.contains(instruction.get()) && !used.contains(instruction.get()))
        sinks.push_back(instruction.get());
    }
    return sinks;
  }

  // Adds the parameters, in the order of the computation.
  void MakeParameters(std::vector<const HloInstruction*> pending) {
    std::set<const HloInstruction*> taken, seen;
    for (const HloInstruction* instruction : computed_) {
      pending.insert(pending.end(), instruction->operands.begin(), instruction->operands.end());
    }
    while (!pending.empty()) {
      const HloInstruction* instruction = pending.back();
      pending.pop_back();
      if (computed_.contains(instruction) || !seen.insert(instruction).second) continue;
      if (IsFree(*instruction)) {
        pending.insert(pending.end(), instruction->operands.begin(), instruction->operands.end());
      } else {
        taken.insert(instruction);
      }
    }
    for (const auto& instruction : computation_.instructions) {
      if (!taken.contains(instruction.get())) continue;
      for (Leaf& leaf : LeavesOf(*instruction)) region_.parameters.push_back(std::move(leaf));
      made_[instruction.get()] = &Parameter(instruction->shape, instruction->name);
    }
  }

  HloInstruction& Parameter(const Shape& shape, const std::string& name) {
    if (shape.IsTuple()) {
      std::vector<HloInstruction*> elements;
      for (const Shape& element : shape.tuple_shapes()) elements.push_back(&Parameter(element, name));
      return Tuple(std::move(elements));
    }
    auto parameter = MakeInstruction(OpRole::kParameter, shape);
    parameter->parameter_number = static_cast<std::int64_t>(region_.module->entry_parameter_layouts.size());
    parameter->name = fmt::format("p{}.{}", parameter->parameter_number, name);
    region_.module->entry_parameter_layouts.push_back(shape);
    return entry_->Add(std::move(parameter));
  }

  HloInstruction& Tuple(std::vector<HloInstruction*> elements) {
    auto tuple = MakeTupleOf(std::move(elements));
    tuple->name = fmt::format("tuple.of.{}", entry_->instructions.size());
    return entry_->Add(std::move(tuple));
  }

  HloInstruction* Copy(const HloInstruction& instruction) {
    if (const auto known = made_.find(&instruction); known != made_.end()) return known->second;
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : instruction.operands) operands.push_back(Copy(*operand));
    HloInstruction& copy = extractor_.Copy(instruction, *entry_, instruction.name);
    copy.operands = std::move(operands);
    copy.location = instruction.location;
    return made_[&instruction] = &copy;
  }

  HloInstruction* Root() {
    for (const HloInstruction* result : region_.results) Copy(*result);
    if (region_.results.size() == 1) return made_.at(region_.results[0]);
    std::vector<HloInstruction*> elements;
    for (const HloInstruction* result : region_.results) {
      for (const Leaf& leaf : LeavesOf(*result)) elements.push_back(&ElementOf(*made_.at(result), leaf.tuple_index));
    }
    return &Tuple(std::move(elements));
  }

  HloInstruction& ElementOf(HloInstruction& value, std::span<const std::int64_t> tuple_index) {
    if (tuple_index.empty()) return value;
    auto element = MakeInstruction(OpRole::kGetTupleElement, value.shape.tuple_shapes()[tuple_index[0]], {&value});
    element->name = fmt::format("element.of.{}", entry_->instructions.size());
    element->Set("index", tuple_index[0]);
    return ElementOf(entry_->Add(std::move(element)), tuple_index.subspan(1));
  }

  const HloComputation& computation_;
  const std::set<const HloInstruction*>& computed_;
  Region region_;
  std::unique_ptr<HloComputation> entry_;
  std::function<PrimitiveType(PrimitiveType)> no_retype_;
  Extractor extractor_{*region_.module, no_retype_};
  std::map<const HloInstruction*, HloInstruction*> made_;
};

void AddLeaves(const HloInstruction& instruction, const Shape& shape, std::vector<std::int64_t> index,
               std::vector<Leaf>& leaves) {
  if (!shape.IsTuple()) {
    leaves.push_back({&instruction, std::move(index)});
    return;
  }
  for (std::size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
    std::vector<std::int64_t> part = index;
    part.push_back(static_cast<std::int64_t>(i));
    AddLeaves(instruction, shape.tuple_shapes()[i], std::move(part), leaves);
  }
}

}  // namespace

const Literal& Leaf::Of(const Literal& value) const {
  const Literal* part = &value;
  for (const std::int64_t i : tuple_index) part = &part->elements()[i];
  return *part;
}

std::vector<Leaf> LeavesOf(const HloInstruction& instruction) {
  std::vector<Leaf> leaves;
  AddLeaves(instruction, instruction.shape, {}, leaves);
  return leaves;
}

Region ExtractRegion(const HloComputation& computation, const std::set<const HloInstruction*>& computed,
                     std::vector<const HloInstruction*> results) {
  return RegionBuilder(computation, computed).Build(std::move(results));
}

namespace {

// Adds a parameter of this shape to the entry under construction, and to the layouts of the module.
HloInstruction& AddParameter(HloComputation& entry, const Shape& shape) {
  HloModule& module = *entry.module;
  auto parameter = MakeInstruction(OpRole::kParameter, shape);
  parameter->parameter_number = static_cast<std::int64_t>(module.entry_parameter_layouts.size());
  parameter->name = fmt::format("p{}", parameter->parameter_number);
  module.entry_parameter_layouts.push_back(shape);
  return entry.Add(std::move(parameter));
}

// Returns the only result, or a new tuple of all.
HloInstruction& RootOf(HloComputation& entry, const std::vector<HloInstruction*>& results) {
  if (results.size() == 1) return *results[0];
  auto tuple = MakeTupleOf(results);
  tuple->name = "results";
  return entry.Add(std::move(tuple));
}

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
    const HloInstruction& start = StartOf(*instruction);
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : start.operands) {
      operands.push_back(&AddParameter(*entry, extractor.WithType(operand->shape)));
    }
    if (&start != instruction) {
      HloInstruction& begun = extractor.Copy(start, *entry, fmt::format("s{}", results.size()));
      begun.operands = std::exchange(operands, {&begun});
    }
    HloInstruction& copy = extractor.Copy(*instruction, *entry, fmt::format("r{}", results.size()));
    copy.operands = std::move(operands);
    results.push_back(&copy);
  }
  entry->root = &RootOf(*entry, results);
  module->entry_result_layout = entry->root->shape;
  module->computations.push_back(std::move(entry));
  module->entry = module->computations.back().get();
  return module;
}

}  // namespace assay
