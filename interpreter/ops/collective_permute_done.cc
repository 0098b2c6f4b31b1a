#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_collective_permute_done = {
    .name = "collective-permute-done",
    .meaning = "The end of an asynchronous collective-permute.",
    .legality = {.arity = Exactly(1), .types = kTuples, .allows_mixed_precision = true, .infer = InferDone},
    .evaluation = {.evaluate = EvaluateDone, .depends_on_device = true},
};

}  // namespace assay
