#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> InferAddDependency(const HloInstruction& instruction) {
  const Shape& token = instruction.operand(1).shape;
  if (token.IsToken()) return instruction.operand(0).shape;
  return Illegal(instruction, "operand 1 must be a token, found {}", token.ToStringWithoutLayout());
}

}  // namespace

const Op op_add_dependency = {
    .name = "add-dependency",
    .meaning = "The first operand, ordered after the token.",
    .legality = {.arity = Exactly(2), .types = kAny, .layouts = LayoutRule::kKept, .infer = InferAddDependency},
    .evaluation = {.evaluate = EvaluateOperand, .sees_run_time_sizes = true},
};

}  // namespace assay
