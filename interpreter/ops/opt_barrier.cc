#include "interpreter/ops/dynamic_sizes.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_opt_barrier = {
    .name = "opt-barrier",
    .meaning = "The operand; no optimisation may cross.",
    .arity = Exactly(1),
    .types = kAny,
    .keeps_scalars = true,
    .allows_mixed_precision = true,
    .forwards_operands = true,
    .sees_run_time_sizes = true,
    .layouts = LayoutRule::kInferred,
    .infer = InferOperand,
    .evaluate = EvaluateOperand,
};

}  // namespace assay
