#include "interpreter/ops/record.h"

namespace assay {

const Op op_async_start = {
    .name = "async-start",
    .meaning = "The start of an asynchronous computation.",
    .arity = AtLeast(0),
    .types = kAny,
    .attributes = {Optional("async_execution_thread", AttributeKind::kString), OutputToOperandAliasing(),
                   Optional("calls", AttributeKind::kComputation)},
    .shape_is_inferable = false,
    .role = OpRole::kAsyncStart,
};

}  // namespace assay
