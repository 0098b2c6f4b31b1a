#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_all_gather_done = {
    .name = "all-gather-done",
    .meaning = "The end of an asynchronous all-gather.",
    .legality =
        {
            .arity = Exactly(1),
            .types = kTuples,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferDone,
        },
    .evaluation = {.evaluate = EvaluateDone, .depends_on_device = true},
};

}  // namespace assay
