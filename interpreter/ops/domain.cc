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

const Op op_domain = {
    .name = "domain",
    .meaning = "The operand, at the border of a sharding domain.",
    .arity = Exactly(1),
    .types = kAny,
    .attributes = {Required("domain", AttributeKind::kDomain)},
    .keeps_scalars = true,
    .allows_mixed_precision = true,
    .forwards_operands = true,
    .sees_run_time_sizes = true,
    .infer = Infer,
    .evaluate = Evaluate,
};

}  // namespace assay
