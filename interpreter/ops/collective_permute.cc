#include "interpreter/ops/common/collective_rules.h"
#include "interpreter/ops/common/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_collective_permute = {
    .name = "collective-permute",
    .meaning = "Operands sent from source to target devices; zeros where nothing arrives.",
    .syntax = {.attributes = CollectivePermuteAttributes(), .shape_is_inferable = false},
    .legality =
        {
            .arity = AtLeast(1),
            .types = kArrays,
            .layouts = LayoutRule::kKept,
            .allows_mixed_precision = true,
            .infer = InferCollectivePermute,
        },
    .evaluation = {.evaluate = EvaluateCollectivePermute, .depends_on_device = true},
};

}  // namespace assay
