#include "interpreter/acceptance/sets/array_calls.h"

#include <algorithm>
#include <map>
#include <utility>

#include "interpreter/hlo/op.h"
#include "interpreter/types/strided_copy.h"

namespace assay {
namespace {

bool IsScalarFunction(const HloInstruction& instruction) {
  if (!instruction.shape.IsFixedArray() || instruction.shape.rank() != 0) return false;
  const OpRole role = instruction.op->role;
  if (role == OpRole::kParameter || role == OpRole::kConstant) return true;
  return role == OpRole::kOrdinary && instruction.op->evaluation.kernel != nullptr;
}

}  // namespace

std::unique_ptr<HloModule> OnArrays(const HloComputation& computation, std::int64_t count) {
  const auto is_function = [](const auto& instruction) { return IsScalarFunction(*instruction); };
  if (!std::ranges::all_of(computation.instructions, is_function)) return nullptr;
  auto module = std::make_unique<HloModule>();
  HloComputation& entry = module->AddComputation("entry");
  std::map<const HloInstruction*, HloInstruction*> made;
  for (const auto& scalar : computation.instructions) {
    auto copy = std::make_unique<HloInstruction>();
    copy->op = scalar->op;
    copy->name = scalar->name;
    copy->shape = ShapeUtil::MakeShape(scalar->shape.element_type(), {count});
    for (const HloInstruction* operand : scalar->operands) copy->operands.push_back(made.at(operand));
    copy->attributes = scalar->attributes;
    copy->result_accuracy = scalar->result_accuracy;
    copy->parameter_number = scalar->parameter_number;
    if (scalar->literal) copy->literal = Filled(copy->shape, *scalar->literal);
    made[scalar.get()] = &entry.Add(std::move(copy));
  }
  entry.root = made.at(computation.root);
  module->entry = &entry;
  SetEntryLayouts(*module);
  return module;
}

}  // namespace assay
