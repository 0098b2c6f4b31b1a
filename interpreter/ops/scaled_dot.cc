#include "interpreter/ops/record.h"

namespace assay {

const Op op_scaled_dot = {
    .name = "scaled-dot",
    .meaning = "A dot of block-scaled operands.",
    .arity = Exactly(4),
    .types = kArrays,
    .attributes = {Optional("lhs_batch_dims", AttributeKind::kInt64List),
                   Printed("lhs_contracting_dims", AttributeKind::kInt64List, Int64List{}),
                   Optional("rhs_batch_dims", AttributeKind::kInt64List),
                   Printed("rhs_contracting_dims", AttributeKind::kInt64List, Int64List{}), OperandPrecision(),
                   DotAlgorithm()},
    .acceptance = Acceptance::kSum,
};

}  // namespace assay
