#include "interpreter/ops/record.h"

namespace assay {

const Op op_reduce_window = {
    .name = "reduce-window",
    .meaning = "Elements of each window folded by a computation.",
    .arity = AtLeast(2),
    .types = kArrays,
    .attributes = {Optional("window", AttributeKind::kWindow), Required("to_apply", AttributeKind::kComputation)},
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
