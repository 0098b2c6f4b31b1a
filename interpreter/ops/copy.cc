#include "interpreter/ops/common/dynamic_sizes.h"
#include "interpreter/ops/record.h"

namespace assay {

// Literals hold elements in row-major order, whatever the layout is, so another layout changes none.
const Op op_copy = {
    .name = "copy",
    .meaning = "The operand, unchanged, possibly in another layout.",
    .legality = {.arity = Exactly(1), .types = kAny, .forwards_operands = true, .infer = InferOperand},
    .evaluation = {.evaluate = EvaluateOperand, .keeps_scalars = true, .sees_run_time_sizes = true},
};

}  // namespace assay
