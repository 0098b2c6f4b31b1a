#include "interpreter/ops/record.h"

namespace assay {

const Op op_while = {
    .name = "while",
    .meaning = "The body repeated while the condition holds.",
    .arity = Exactly(1),
    .types = kAny,
    .attributes = {Required("condition", AttributeKind::kComputation), Required("body", AttributeKind::kComputation)},
    .acceptance = Acceptance::kCalled,
};

}  // namespace assay
