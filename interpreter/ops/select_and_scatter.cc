#include "interpreter/ops/record.h"

namespace assay {

const Op op_select_and_scatter = {
    .name = "select-and-scatter",
    .meaning = "Each source element combined into the operand position that a window selects.",
    .arity = Exactly(3),
    .types = kArrays,
    .attributes = {Optional("window", AttributeKind::kWindow), Required("select", AttributeKind::kComputation),
                   Required("scatter", AttributeKind::kComputation)},
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
