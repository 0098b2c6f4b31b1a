#include <utility>

#include "interpreter/ops/dynamic_sizes.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& instruction) { return instruction.operand(0).shape; }

Literal Evaluate(const HloInstruction& instruction, std::span<Literal> operands, Evaluation&) {
  return WithShapeKeepingSizes(std::move(operands[0]), instruction.shape);
}

}  // namespace

const Op op_opt_barrier = {
    .name = "opt-barrier",
    .meaning = "The operand; no optimisation may cross.",
    .arity = Exactly(1),
    .types = kAny,
    .keeps_scalars = true,
    .allows_mixed_precision = true,
    .forwards_operands = true,
    .sees_run_time_sizes = true,
    .infer = Infer,
    .evaluate = Evaluate,
};

}  // namespace assay
