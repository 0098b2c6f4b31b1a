#include "interpreter/ops/record.h"

namespace assay {

const Op op_dot = {
    .name = "dot",
    .meaning = "Sums of products over the contracting dimensions.",
    .arity = Exactly(2),
    .types = kArrays,
    .attributes = {Optional("lhs_batch_dims", AttributeKind::kInt64List),
                   Printed("lhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                   Optional("rhs_batch_dims", AttributeKind::kInt64List),
                   Printed("rhs_contracting_dims", AttributeKind::kInt64List, Int64List{}), OperandPrecision(),
                   DotAlgorithm(), Optional("sparsity_config", AttributeKind::kSparsity),
                   Optional("block_scaling_config", AttributeKind::kRaw)},
    .acceptance = Acceptance::kSum,
};

}  // namespace assay
