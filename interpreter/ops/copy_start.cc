#include "interpreter/ops/record.h"

namespace assay {

const Op op_copy_start = {
    .name = "copy-start",
    .meaning = "The start of an asynchronous copy.",
    .arity = Exactly(1),
    .types = kAny,
    .attributes = {Optional("cross_program_prefetch_index", AttributeKind::kInt64)},
    .shape_is_inferable = false,
};

}  // namespace assay
