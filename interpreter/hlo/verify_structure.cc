#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>
#include <functional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/hlo/instruction_places.h"
#include "interpreter/hlo/op.h"
#include "interpreter/hlo/verifier_rules.h"

namespace assay {
namespace {

// True if the value has the type that stores the kind.
bool HasKind(const AttributeValue& value, AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kBool:
      return std::holds_alternative<bool>(value);
    case AttributeKind::kInt64:
      return std::holds_alternative<std::int64_t>(value);
    case AttributeKind::kFloat:
      return std::holds_alternative<double>(value);
    case AttributeKind::kInt64List:
      return std::holds_alternative<Int64List>(value);
    case AttributeKind::kBoolList:
      return std::holds_alternative<std::vector<bool>>(value);
    case AttributeKind::kInt64ListList:
      return std::holds_alternative<std::vector<Int64List>>(value);
    case AttributeKind::kWindow:
      return std::holds_alternative<Window>(value);
    case AttributeKind::kPadding:
      return std::holds_alternative<PaddingConfig>(value);
    case AttributeKind::kSlice:
      return std::holds_alternative<SliceConfig>(value);
    case AttributeKind::kDimLabels:
      return std::holds_alternative<ConvolutionDimensionNumbers>(value);
    case AttributeKind::kPrecision:
      return std::holds_alternative<std::vector<std::string>>(value);
    case AttributeKind::kComputation:
      return std::holds_alternative<HloComputation*>(value);
    case AttributeKind::kComputationList:
      return std::holds_alternative<std::vector<HloComputation*>>(value);
    case AttributeKind::kReplicaGroups:
      return std::holds_alternative<ReplicaGroups>(value);
    case AttributeKind::kAliasing:
      return std::holds_alternative<std::vector<OutputOperandAlias>>(value);
    case AttributeKind::kShape:
      return std::holds_alternative<Shape>(value);
    case AttributeKind::kShapeList:
      return std::holds_alternative<std::vector<Shape>>(value);
    case AttributeKind::kLiteral:
      return std::holds_alternative<Literal>(value);
    case AttributeKind::kString:
    case AttributeKind::kEnum:
      return std::holds_alternative<std::string>(value);
    case AttributeKind::kDomain:
    case AttributeKind::kSparsity:
    case AttributeKind::kRaw:
      return true;
  }
  return false;
}

void CheckAttributes(const HloInstruction& instruction, ErrorList& errors) {
  for (const AttributeSpec& spec : instruction.op->syntax.attributes) {
    if (spec.required && !instruction.Has(spec.name)) {
      errors.Add(instruction, "{} needs the attribute {}", instruction.op->name, spec.name);
    }
  }
  for (const Attribute& attribute : instruction.attributes) {
    const AttributeSpec* spec = instruction.op->FindAttribute(attribute.name);
    if (spec == nullptr) {
      errors.Add(instruction, "{} has no attribute {}", instruction.op->name, attribute.name);
    } else if (!HasKind(attribute.value, spec->kind)) {
      errors.Add(instruction, "the attribute {} has a value of the wrong kind", attribute.name);
    } else if (spec->kind == AttributeKind::kEnum &&
               std::ranges::find(spec->enumerators, std::get<std::string>(attribute.value)) ==
                   spec->enumerators.end()) {
      errors.Add(instruction, "the attribute {} cannot be {}", attribute.name, std::get<std::string>(attribute.value));
    }
  }
}

void CheckCalledComputations(const HloInstruction& instruction, const HloModule& module, ErrorList& errors) {
  for (const Attribute& attribute : instruction.attributes) {
    std::span<HloComputation* const> called;
    if (auto* const* one = std::get_if<HloComputation*>(&attribute.value)) called = {one, 1};
    if (const auto* many = std::get_if<std::vector<HloComputation*>>(&attribute.value)) called = *many;
    for (const HloComputation* computation : called) {
      if (computation == nullptr || computation->module != &module) {
        errors.Add(instruction, "{} names a computation that is not in the module", attribute.name);
      } else if (computation == module.entry) {
        errors.Add(instruction, "calls the entry computation {}", computation->name);
      }
    }
  }
}

void CheckOperandCount(const HloInstruction& instruction, ErrorList& errors) {
  const Arity arity = instruction.op->legality.arity;
  const auto count = static_cast<int>(instruction.operands.size());
  if (count >= arity.min && (arity.max == Arity::kVariadic || count <= arity.max)) return;
  const std::string_view bound = arity.max == Arity::kVariadic ? "at least " : "";
  const int expected = arity.max == Arity::kVariadic || count < arity.min ? arity.min : arity.max;
  errors.Add(instruction, "{} takes {}{} operand{}, found {}", instruction.op->name, bound, expected,
             expected == 1 ? "" : "s", count);
}

// Checks that parameters are numbered 0, 1, ... without gaps. The count of instructions bounds the allocation.
void CheckParameterNumbers(const HloComputation& computation, ErrorList& errors) {
  const auto is_parameter = [](const auto& instruction) { return instruction->op->role == OpRole::kParameter; };
  const auto count = std::ranges::count_if(computation.instructions, is_parameter);
  std::vector<bool> seen(count);
  for (const auto& instruction : computation.instructions) {
    if (!is_parameter(instruction)) continue;
    const std::int64_t number = instruction->parameter_number;
    if (number < 0 || number >= count) {
      errors.Add(*instruction, "parameter numbers of {} must be 0 to {}, found {}", computation.name, count - 1,
                 number);
    } else if (seen[number]) {
      errors.Add(*instruction, "{} has parameter {} twice", computation.name, number);
    } else {
      seen[number] = true;
    }
  }
}

// Checks that operands and control predecessors are defined before their users, in the same computation. So evaluation
// in order finds its operands, and no instruction depends on itself.
void CheckOrder(const HloComputation& computation, ErrorList& errors) {
  const InstructionPlaces places(computation);
  for (std::size_t place = 0; place < computation.instructions.size(); ++place) {
    const auto& instruction = computation.instructions[place];
    const auto check = [&](const std::vector<HloInstruction*>& sources, std::string_view what) {
      for (const HloInstruction* source : sources) {
        if (places[source] < place) continue;
        errors.Add(*instruction, "the {} {} must be defined before its use in computation {}", what,
                   source == nullptr ? "(none)" : source->name, computation.name);
      }
    };
    check(instruction->operands, "operand");
    check(instruction->control_predecessors, "control predecessor");
  }
  if (places[computation.root] == places.size()) errors.Add(computation, "the root is not one of its instructions");
}

// True for a module of few computations, each of which calls only computations before it, as in text.
bool HasCalleesFirst(const HloModule& module) {
  constexpr std::size_t kFew = 32;  // a search among more would take longer than the walk of CheckCallGraph
  if (module.computations.size() > kFew) return false;
  boost::container::static_vector<const HloComputation*, kFew> before;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      for (const HloComputation* called : instruction->CalledComputations()) {
        if (std::ranges::find(before, called) == before.end()) return false;
      }
    }
    before.push_back(computation.get());
  }
  return true;
}

// Walks depth first with an explicit stack: the input determines the depth.
void CheckCallGraph(const HloModule& module, ErrorList& errors) {
  struct Visit {
    const HloComputation* computation;
    std::vector<const HloComputation*> callees;
  };
  const auto callees_of = [](const HloComputation& computation) {
    std::vector<const HloComputation*> callees;
    for (const auto& instruction : computation.instructions) {
      for (const HloComputation* called : instruction->CalledComputations()) callees.push_back(called);
    }
    return callees;
  };
  std::unordered_set<const HloComputation*> active, finished;
  for (const auto& start : module.computations) {
    std::vector<Visit> stack;
    const auto enter = [&](const HloComputation& computation) {
      active.insert(&computation);
      stack.push_back({&computation, callees_of(computation)});
    };
    if (!finished.contains(start.get())) enter(*start);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.callees.empty()) {
        active.erase(visit.computation);
        finished.insert(visit.computation);
        stack.pop_back();
        continue;
      }
      const HloComputation* callee = visit.callees.back();
      visit.callees.pop_back();
      if (active.contains(callee)) {
        errors.Add(*callee, "calls itself, by way of {}", visit.computation->name);
        return;
      }
      if (!finished.contains(callee)) enter(*callee);
    }
  }
}

// Compares hashes: may return false for names that differ.
bool HasEachNameOnce(const HloModule& module) {
  const std::hash<std::string_view> hash;
  boost::container::small_vector<std::size_t, 64> computations, instructions;
  for (const auto& computation : module.computations) {
    computations.push_back(hash(computation->name));
    for (const auto& instruction : computation->instructions) instructions.push_back(hash(instruction->name));
  }
  std::ranges::sort(computations);
  std::ranges::sort(instructions);
  return std::ranges::adjacent_find(computations) == computations.end() &&
         std::ranges::adjacent_find(instructions) == instructions.end();
}

void CheckNames(const HloModule& module, ErrorList& errors) {
  if (HasEachNameOnce(module)) return;
  std::unordered_set<std::string_view> computations, instructions;
  for (const auto& computation : module.computations) {
    if (!computations.insert(computation->name).second) errors.Add(*computation, "the name is not unique");
    for (const auto& instruction : computation->instructions) {
      if (!instructions.insert(instruction->name).second) errors.Add(*instruction, "the name is not unique");
    }
  }
}

void CheckModule(const HloModule& module, ErrorList& errors) {
  if (module.name.empty()) errors.Add(module, "a module must have a name");
  std::int64_t devices = 0;
  if (module.replica_count < 1 || module.num_partitions < 1 ||
      __builtin_mul_overflow(module.replica_count, module.num_partitions, &devices)) {
    errors.Add(module, "replica_count and num_partitions must be positive, found {} and {}", module.replica_count,
               module.num_partitions);
  }
  const bool has_entry = std::ranges::any_of(
      module.computations, [&](const auto& computation) { return computation.get() == module.entry; });
  if (!has_entry) errors.Add(module, "a module must have an entry computation");
}

}  // namespace

void CheckOperandsAndAttributes(const HloInstruction& instruction, ErrorList& errors) {
  CheckOperandCount(instruction, errors);
  CheckAttributes(instruction, errors);
}

void CheckStructure(const HloModule& module, ErrorList& errors) {
  CheckModule(module, errors);
  CheckNames(module, errors);
  for (const auto& computation : module.computations) {
    if (computation->module != &module) errors.Add(*computation, "belongs to another module");
    for (const auto& instruction : computation->instructions) {
      if (instruction->op == nullptr) {
        errors.Add(*instruction, "an instruction must have an operation");
        return;
      }
      if (instruction->parent != computation.get()) errors.Add(*instruction, "belongs to another computation");
      CheckOperandsAndAttributes(*instruction, errors);
      CheckCalledComputations(*instruction, module, errors);
    }
    CheckOrder(*computation, errors);
    CheckParameterNumbers(*computation, errors);
  }
  if (errors.empty() && !HasCalleesFirst(module)) CheckCallGraph(module, errors);
}

}  // namespace assay
