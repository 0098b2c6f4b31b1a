#include "interpreter/ops/record.h"

namespace assay {

const Op op_reduce = {
    .name = "reduce",
    .meaning = "Elements along dimensions folded by a computation.",
    .arity = AtLeast(2),
    .types = kArrays,
    .attributes = {Required("dimensions", AttributeKind::kInt64List),
                   Required("to_apply", AttributeKind::kComputation)},
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
