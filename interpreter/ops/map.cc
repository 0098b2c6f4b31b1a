#include "interpreter/ops/record.h"

namespace assay {

const Op op_map = {
    .name = "map",
    .meaning = "A scalar computation applied to each element.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Printed("dimensions", AttributeKind::kInt64List, Int64List{}),
                   Required("to_apply", AttributeKind::kComputation)},
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
