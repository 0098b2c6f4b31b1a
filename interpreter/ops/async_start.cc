#include "interpreter/ops/record.h"

namespace assay {

const Op op_async_start = {
    .name = "async-start",
    .meaning = "The start of an asynchronous computation.",
    .arity = AtLeast(0),
    .types = kAny,
    .attributes = {{.name = "async_execution_thread",
                    .kind = AttributeKind::kString,
                    .print = PrintRule::kIfNotDefault,
                    .default_value = std::string("main")},
                   OutputToOperandAliasing(),
                   Optional("calls", AttributeKind::kComputation)},
    .shape_is_inferable = false,
    .role = OpRole::kAsyncStart,
};

}  // namespace assay
