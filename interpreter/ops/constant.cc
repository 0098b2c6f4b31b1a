#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  if (!instruction.literal) return instruction.shape;  // constant({...}): the values are not written
  const Shape& found = instruction.literal->shape();
  if (ShapeUtil::Compatible(found, instruction.shape)) return instruction.shape;
  return Illegal(instruction, "the literal must have the shape of the constant {}, found {}",
                 instruction.shape.ToStringWithoutLayout(), found.ToStringWithoutLayout());
}

Literal Evaluate(const HloInstruction& instruction, std::span<Literal>, Evaluation&) { return *instruction.literal; }

}  // namespace

const Op op_constant = {
    .name = "constant",
    .meaning = "A literal.",
    .arity = Exactly(0),
    .types = kAny,
    .shape_is_inferable = false,
    .role = OpRole::kConstant,
    .allows_mixed_precision = true,
    .infer = Infer,
    .evaluate = Evaluate,
};

}  // namespace assay
