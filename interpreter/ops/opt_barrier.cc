#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_opt_barrier = {
    .name = "opt-barrier",
    .meaning = "The operand; no optimisation may cross.",
    .legality =
        {
            .arity = Exactly(1),
            .types = kAny,
            .layouts = LayoutRule::kInferred,
            .allows_mixed_precision = true,
            .forwards_operands = true,
            .infer = InferOperand,
        },
    .evaluation = {.evaluate = EvaluateOperand, .keeps_scalars = true, .sees_run_time_sizes = true},
};

}  // namespace assay
