#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_all_gather_done = {
    .name = "all-gather-done",
    .meaning = "The end of an asynchronous all-gather.",
    .arity = Exactly(1),
    .types = kTuples,
    .allows_mixed_precision = true,
    .depends_on_device = true,
    .layouts = LayoutRule::kKept,
    .infer = InferDone,
    .evaluate = EvaluateDone,
};

}  // namespace assay
