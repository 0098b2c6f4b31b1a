#include "backends/cuda/kernels/applied.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/kernels/entry.h"
#include "backends/cuda/kernels/text.h"

namespace assay::cuda {
namespace {

bool IsResultTuple(const HloInstruction& instruction, const HloComputation& computation) {
  return instruction.op->role == OpRole::kTuple && &instruction == computation.root &&
         std::ranges::all_of(instruction.operands, [](const auto* operand) { return operand->shape.IsScalar(); });
}

std::vector<const HloInstruction*> ResultsOf(const HloComputation& computation) {
  if (computation.root->op->role != OpRole::kTuple) return {computation.root};
  return {computation.root->operands.begin(), computation.root->operands.end()};
}

}  // namespace

bool HasAppliedText(const HloComputation& computation) {
  return std::ranges::all_of(computation.instructions, [&](const auto& instruction) {
    if (!instruction->control_predecessors.empty()) return false;
    if (IsResultTuple(*instruction, computation)) return true;
    if (!instruction->shape.IsScalar()) return false;
    return instruction->op->role == OpRole::kParameter || HasElementText(*instruction);
  });
}

bool HasExactApplication(const HloComputation& computation) {
  return std::ranges::all_of(computation.instructions, [&](const auto& instruction) {
    return instruction->op->role == OpRole::kParameter || IsResultTuple(*instruction, computation) ||
           HasExactText(*instruction);
  });
}

std::vector<PrimitiveType> ResultTypes(const HloComputation& computation) {
  std::vector<PrimitiveType> types;
  for (const HloInstruction* result : ResultsOf(computation)) types.push_back(result->shape.element_type());
  return types;
}

std::vector<std::string> Applied(const HloComputation& computation, std::span<const std::string> arguments, Body& body,
                                 ElementEmitter& emitter) {
  std::vector<std::string> names;
  for (const PrimitiveType type : ResultTypes(computation)) {
    names.push_back(body.NewName());
    body.Line(fmt::format("{} {};", TypeText(type), names.back()));
  }
  // The braces limit the names of these values to this application.
  body.Open("{");
  for (const HloInstruction* parameter : computation.Parameters()) {
    emitter.Bind(*parameter, arguments[static_cast<std::size_t>(parameter->parameter_number)]);
  }
  const std::vector<const HloInstruction*> results = ResultsOf(computation);
  for (std::size_t i = 0; i < results.size(); ++i) {
    body.Line(fmt::format("{} = {};", names[i], emitter.Element(*results[i], IndexText::AtOffset("0"))));
  }
  body.Close();
  return names;
}

}  // namespace assay::cuda
