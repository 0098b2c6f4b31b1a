#include "interpreter/ops/record.h"

namespace assay {

const Op op_conditional = {
    .name = "conditional",
    .meaning = "One of several computations, chosen by the first operand.",
    .arity = AtLeast(2),
    .types = kPred | kIntegral,
    .attributes = {Optional("true_computation", AttributeKind::kComputation),
                   Optional("false_computation", AttributeKind::kComputation),
                   Optional("branch_computations", AttributeKind::kComputationList)},
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
