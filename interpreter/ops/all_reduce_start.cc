#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_all_reduce_start = {
    .name = "all-reduce-start",
    .meaning = "The start of an asynchronous all-reduce.",
    .syntax = {.attributes = AllReduceAttributes(), .shape_is_inferable = false},
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays,
            .allows_mixed_precision = true,
            .done = "all-reduce-done",
            .infer = InferAllReduce,
        },
    .evaluation = {.evaluate = EvaluatePending<AllReduce, kPlainSteps>, .depends_on_device = true},
};

}  // namespace assay
