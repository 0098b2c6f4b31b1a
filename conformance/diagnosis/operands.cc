#include <algorithm>

#include "conformance/diagnosis/steps.h"

namespace assay {
namespace {

Edit UseOperand(InstructionPlace place, std::size_t operand) {
  return [place, operand](Candidate& candidate) {
    HloInstruction& instruction = place.In(*candidate.module);
    ReplaceUses(instruction, *instruction.operands[operand]);
    return true;
  };
}

Edit UseZeros(InstructionPlace place) {
  return [place](Candidate& candidate) {
    HloInstruction& instruction = place.In(*candidate.module);
    HloInstruction& zeros = InsertAt(*instruction.parent, PlaceOf(instruction), OpRole::kConstant, instruction.shape);
    zeros.literal = Literal(instruction.shape);
    ReplaceUses(instruction, zeros);
    return true;
  };
}

// Replaces an element of a tuple instruction by the tuple's operand.
Edit UseElement(InstructionPlace place) {
  return [place](Candidate& candidate) {
    HloInstruction& instruction = place.In(*candidate.module);
    const auto index = static_cast<std::size_t>(instruction.tuple_index());
    ReplaceUses(instruction, *instruction.operands[0]->operands[index]);
    return true;
  };
}

// Replaces the uses of a parameter by another one.
Edit Merge(InstructionPlace place, InstructionPlace other) {
  return [place, other](Candidate& candidate) {
    HloInstruction &parameter = place.In(*candidate.module), &stays = other.In(*candidate.module);
    auto& instructions = parameter.parent->instructions;
    // The remaining parameter may be after a user of the removed one.
    std::rotate(instructions.begin(), instructions.begin() + static_cast<std::ptrdiff_t>(other.instruction),
                instructions.begin() + static_cast<std::ptrdiff_t>(other.instruction) + 1);
    ReplaceUses(parameter, stays);
    return true;
  };
}

bool IsGivenOperand(const HloInstruction& instruction) {
  return instruction.op->role == OpRole::kParameter || instruction.op->role == OpRole::kConstant;
}

}  // namespace

std::vector<Edit> OperandEdits(const Subject& subject, const EvaluationLimits&) {
  const HloModule& module = *subject.module;
  std::vector<Edit> edits;
  std::vector<InstructionPlace> parameters;  // of the entry
  for (const InstructionPlace& place : PlacesFromTheEnd(module)) {
    const HloInstruction& instruction = place.In(module);
    const bool is_in_entry = instruction.parent == module.entry;
    if (IsGivenOperand(instruction)) {
      if (is_in_entry && instruction.op->role == OpRole::kParameter) parameters.push_back(place);
      continue;
    }
    if (instruction.op->role == OpRole::kGetTupleElement && instruction.operand(0).op->role == OpRole::kTuple) {
      edits.push_back(UseElement(place));
      continue;
    }
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const auto first =
          std::ranges::find(instruction.operands, instruction.operands[i]) - instruction.operands.begin();
      if (first == static_cast<std::ptrdiff_t>(i) &&
          ShapeUtil::Compatible(instruction.operand(static_cast<std::int64_t>(i)).shape, instruction.shape)) {
        edits.push_back(UseOperand(place, i));
      }
    }
    // In the entry, a cut has already tried the correct value.
    if (!is_in_entry && instruction.shape.IsArray() && !instruction.shape.IsDynamic()) edits.push_back(UseZeros(place));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (std::size_t j = i + 1; j < parameters.size(); ++j) {
      if (ShapeUtil::Compatible(parameters[i].In(module).shape, parameters[j].In(module).shape)) {
        edits.push_back(Merge(parameters[i], parameters[j]));
      }
    }
  }
  return edits;
}

}  // namespace assay
