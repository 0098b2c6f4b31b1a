#include "interpreter/ops/record.h"

namespace assay {

const Op op_shuffle = {
    .name = "shuffle",
    .meaning = "Elements rearranged by a mode such as rotate.",
    .arity = Exactly(1),
    .types = kArrays,
    .attributes = {Required("dimensions", AttributeKind::kInt64List), OneOf("mode", {"rotate"}, /*required=*/true),
                   Required("shifts", AttributeKind::kInt64List)},
    .shape_is_inferable = false,
};

}  // namespace assay
