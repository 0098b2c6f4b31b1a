#include "interpreter/ops/record.h"

namespace assay {

const Op op_async_done = {
    .name = "async-done",
    .meaning = "The end of an asynchronous computation.",
    .arity = Exactly(1),
    .types = kAny,
    .attributes = {ReadOnly("async_execution_thread", AttributeKind::kString),
                   ReadOnly("calls", AttributeKind::kComputation)},
    .shape_is_inferable = false,
    .role = OpRole::kAsyncDone,
};

}  // namespace assay
