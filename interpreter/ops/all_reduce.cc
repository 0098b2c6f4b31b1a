#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_all_reduce = {
    .name = "all-reduce",
    .meaning = "Operands of all devices of a group, folded by a computation.",
    .syntax = {.attributes = AllReduceAttributes(), .shape_is_inferable = false},
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferAllReduce,
        },
    .evaluation = {.evaluate = EvaluateAllReduce, .depends_on_device = true},
    .acceptance = {.rule = Acceptance::kCalled},
};

}  // namespace assay
