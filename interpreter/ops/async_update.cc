#include "interpreter/ops/record.h"

namespace assay {

const Op op_async_update = {
    .name = "async-update",
    .meaning = "A point between the start and the end of an asynchronous computation.",
    .arity = AtLeast(1),
    .types = kAny,
    .attributes = {ReadOnly("async_execution_thread", AttributeKind::kString), OutputToOperandAliasing(),
                   ReadOnly("calls", AttributeKind::kComputation)},
    .shape_is_inferable = false,
    .role = OpRole::kAsyncUpdate,
};

}  // namespace assay
