#include "interpreter/ops/record.h"

namespace assay {

const Op op_ragged_dot = {
    .name = "ragged-dot",
    .meaning = "A dot with one ragged dimension, split into groups of given sizes.",
    .arity = Exactly(3),
    .types = kArrays,
    .attributes = {Optional("lhs_batch_dims", AttributeKind::kInt64List),
                   Printed("lhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                   Optional("rhs_batch_dims", AttributeKind::kInt64List),
                   Printed("rhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                   Optional("lhs_ragged_dims", AttributeKind::kInt64List),
                   Optional("rhs_group_dims", AttributeKind::kInt64List), OperandPrecision()},
    .acceptance = Acceptance::kSum,
};

}  // namespace assay
