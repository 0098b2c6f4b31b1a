#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferAfterAll(const HloInstruction& instruction) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Shape& operand = instruction.operands[i]->shape;
    if (!operand.IsToken()) {
      return Illegal(instruction, "operand {} must be a token, found {}", i, operand.ToStringWithoutLayout());
    }
  }
  return ShapeUtil::MakeTokenShape();
}

// Replaces the written shape by a token: XLA accepts any shape there.
Status NormalizeAfterAll(HloInstruction& instruction) {
  instruction.shape = ShapeUtil::MakeTokenShape();
  return {};
}

Literal EvaluateAfterAll(const HloInstruction&, std::span<Literal>, Evaluation&) { return Literal::MakeToken(); }

}  // namespace

const Op op_after_all = {
    .name = "after-all",
    .meaning = "A token after all its operands.",
    .syntax = {.normalize = NormalizeAfterAll},
    .legality = {.arity = AtLeast(0), .types = kTokens, .infer = InferAfterAll},
    .evaluation = {.evaluate = EvaluateAfterAll, .sees_run_time_sizes = true},
};

}  // namespace assay
