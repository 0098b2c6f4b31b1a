#include "interpreter/ops/dynamic_sizes.h"
#include "interpreter/ops/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) {
  const Shape& token = instruction.operand(1).shape;
  if (token.IsToken()) return instruction.operand(0).shape;
  return Illegal(instruction, "operand 1 must be a token, found {}", token.ToStringWithoutLayout());
}

}  // namespace

const Op op_add_dependency = {
    .name = "add-dependency",
    .meaning = "The first operand, ordered after the token.",
    .arity = Exactly(2),
    .types = kAny,
    .sees_run_time_sizes = true,
    .layouts = LayoutRule::kKept,
    .infer = Infer,
    .evaluate = EvaluateOperand,
};

}  // namespace assay
