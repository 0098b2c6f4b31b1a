#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_all_reduce = {
    .name = "all-reduce",
    .meaning = "Operands of all devices of a group, folded by a computation.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = AllReduceAttributes(),
    .shape_is_inferable = false,
    .allows_mixed_precision = true,
    .depends_on_device = true,
    .layouts = LayoutRule::kKept,
    .infer = InferAllReduce,
    .evaluate = EvaluateAllReduce,
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
