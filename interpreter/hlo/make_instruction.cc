#include "interpreter/hlo/make_instruction.h"

#include <utility>

namespace assay {

std::unique_ptr<HloInstruction> MakeInstruction(const Op& op, const Shape& shape,
                                                std::vector<HloInstruction*> operands) {
  auto instruction = std::make_unique<HloInstruction>();
  instruction->op = &op;
  instruction->name = instruction->op->name;
  instruction->shape = shape;
  instruction->operands = std::move(operands);
  return instruction;
}

std::unique_ptr<HloInstruction> MakeInstruction(OpRole role, const Shape& shape,
                                                std::vector<HloInstruction*> operands) {
  return MakeInstruction(*OpWithRole(role), shape, std::move(operands));
}

std::unique_ptr<HloInstruction> MakeTupleOf(std::vector<HloInstruction*> elements) {
  std::vector<Shape> shapes;
  for (const HloInstruction* element : elements) shapes.push_back(element->shape);
  return MakeInstruction(OpRole::kTuple, ShapeUtil::MakeTupleShape(std::move(shapes)), std::move(elements));
}

}  // namespace assay
