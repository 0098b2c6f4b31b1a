#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferConstant(const HloInstruction& instruction) {
  if (!instruction.literal) return instruction.shape;  // constant({...}) omits the values
  const Shape& found = instruction.literal->shape();
  if (ShapeUtil::Compatible(found, instruction.shape)) return instruction.shape;
  return Illegal(instruction, "the literal must have the shape of the constant {}, found {}",
                 instruction.shape.ToStringWithoutLayout(), found.ToStringWithoutLayout());
}

Literal EvaluateConstant(const HloInstruction& instruction, std::span<Literal>, Evaluation&) {
  return *instruction.literal;
}

}  // namespace

const Op op_constant = {
    .name = "constant",
    .meaning = "A literal.",
    .role = OpRole::kConstant,
    .syntax = {.shape_is_inferable = false},
    .legality = {.arity = Exactly(0), .types = kAny, .allows_mixed_precision = true, .infer = InferConstant},
    .evaluation = {.evaluate = EvaluateConstant},
};

}  // namespace assay
