#include "fuzz/program_features.h"

#include <fmt/format.h>

#include <set>

#include "fuzz/coverage.h"
#include "interpreter/hlo/op.h"

namespace assay {
namespace {

bool HasOneValueTwice(const HloInstruction& instruction) {
  const std::set<const HloInstruction*> distinct(instruction.operands.begin(), instruction.operands.end());
  return std::ssize(distinct) < std::ssize(instruction.operands);
}

// Returns the instruction that computes a value, behind copies and reshapes: many compilers see through them.
const HloInstruction& MakerOf(const HloInstruction& value) {
  const HloInstruction* maker = &value;
  while (maker->op->name == "copy" || maker->op->name == "reshape" || maker->op->name == "bitcast") {
    maker = maker->operands[0];
  }
  return *maker;
}

void AddOperands(const HloInstruction& instruction, std::set<std::string>& features) {
  for (const HloInstruction* operand : instruction.operands) {
    const HloInstruction& maker = MakerOf(*operand);
    if (maker.op->role != OpRole::kParameter)
      features.insert(fmt::format("{} of {}", instruction.op->name, maker.op->name));
  }
  if (HasOneValueTwice(instruction)) features.insert(fmt::format("{} of one value", instruction.op->name));
}

void AddTypes(const Shape& shape, const Op& op, std::set<std::string>& features) {
  for (const Shape& element : shape.tuple_shapes()) AddTypes(element, op, features);
  if (!shape.IsArray()) return;
  const std::string_view type = PrimitiveTypeName(shape.element_type());
  features.insert(fmt::format("type {}", type));
  features.insert(fmt::format("{} to {}", op.name, type));
  if (!LayoutUtil::IsMonotonicWithDim0Major(shape.layout())) features.insert("other layout");
}

}  // namespace

std::vector<std::string> FeaturesOf(const HloModule& module, std::string_view bait) {
  Coverage coverage;
  coverage.Add(module);
  std::set<std::string> features = coverage.types;
  features.insert(coverage.attributes.begin(), coverage.attributes.end());
  for (const std::string& cell : coverage.attributes) {  // "pad f32 padding negative", and without the type
    const std::size_t type = cell.find(' ');
    features.insert(cell.substr(0, type) + cell.substr(cell.find(' ', type + 1)));
  }
  for (const auto& computation : module.computations) {
    const bool is_called = computation.get() != module.entry;
    for (const auto& instruction : computation->instructions) {
      const Op& op = *instruction->op;
      features.emplace(op.name);
      AddOperands(*instruction, features);
      if (is_called) features.insert(fmt::format("called {}", op.name));
      AddTypes(instruction->shape, op, features);
    }
  }
  if (!bait.empty()) features.insert(fmt::format("bait {}", bait));
  if (module.device_count() > 1) features.emplace("several devices");
  return {features.begin(), features.end()};
}

}  // namespace assay
