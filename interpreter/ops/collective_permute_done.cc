#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_collective_permute_done = {
    .name = "collective-permute-done",
    .meaning = "The end of an asynchronous collective-permute.",
    .arity = Exactly(1),
    .types = kTuples,
    .allows_mixed_precision = true,
    .depends_on_device = true,
    .infer = InferDone,
    .evaluate = EvaluateDone,
};

}  // namespace assay
