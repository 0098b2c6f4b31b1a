#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferCopy(const HloInstruction& instruction) { return instruction.operand(0).shape; }

// Elements are kept in row-major order whatever the layout, so another layout changes none of them.
Literal Copy(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  if (!instruction.shape.IsArray() || operands[0].shape() == instruction.shape) return std::move(operands[0]);
  Literal result = operands[0].WithShape(instruction.shape);
  for (std::int64_t d = 0; operands[0].has_dynamic_sizes() && d < instruction.shape.rank(); ++d) {
    result.set_dynamic_size(d, operands[0].dynamic_size(d));
  }
  return result;
}

}  // namespace

const Op op_copy = {
    .name = "copy",
    .meaning = "The operand, unchanged, possibly in another layout.",
    .arity = Exactly(1),
    .types = kAny,
    .keeps_scalars = true,
    .sees_run_time_sizes = true,
    .infer = InferCopy,
    .evaluate = Copy,
};

}  // namespace assay
