#include "interpreter/ops/collective_rules.h"
#include "interpreter/ops/record.h"

namespace assay {

const Op op_collective_permute = {
    .name = "collective-permute",
    .meaning = "Operands sent from source to target devices; zeros where nothing arrives.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Optional("channel_id", AttributeKind::kInt64),
                   Required("source_target_pairs", AttributeKind::kInt64ListList),
                   Optional("slice_sizes", AttributeKind::kInt64ListList)},
    .shape_is_inferable = false,
    .allows_mixed_precision = true,
    .infer = InferCollectivePermute,
    .not_evaluated = "needs several devices",
};

}  // namespace assay
