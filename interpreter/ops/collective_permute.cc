#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/collectives.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_collective_permute = {
    .name = "collective-permute",
    .meaning = "Operands sent from source to target devices; zeros where nothing arrives.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = CollectivePermuteAttributes(),
    .shape_is_inferable = false,
    .allows_mixed_precision = true,
    .depends_on_device = true,
    .layouts = LayoutRule::kKept,
    .infer = InferCollectivePermute,
    .evaluate = EvaluateCollectivePermute,
};

}  // namespace assay
