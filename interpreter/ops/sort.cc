#include "interpreter/ops/record.h"

namespace assay {

const Op op_sort = {
    .name = "sort",
    .meaning = "Operands ordered together along one dimension by a comparator.",
    .arity = AtLeast(1),
    .types = kArrays,
    .attributes = {Required("dimensions", AttributeKind::kInt64List), Flag("is_stable"),
                   Required("to_apply", AttributeKind::kComputation)},
    .acceptance = Acceptance::kUnordered,
};

}  // namespace assay
