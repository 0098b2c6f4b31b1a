#include "interpreter/ops/record.h"

namespace assay {

const Op op_get_tuple_element = {
    .name = "get-tuple-element",
    .meaning = "One element of a tuple.",
    .arity = Exactly(1),
    .types = kTuples,
    .attributes = {Required("index", AttributeKind::kInt64)},
    .role = OpRole::kGetTupleElement,
};

}  // namespace assay
