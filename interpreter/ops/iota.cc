#include "interpreter/ops/record.h"

namespace assay {

const Op op_iota = {
    .name = "iota",
    .meaning = "Each element is its index along one dimension.",
    .arity = Exactly(0),
    .types = kIntegral | kFloats | kComplex,
    .attributes = {Required("iota_dimension", AttributeKind::kInt64)},
    .shape_is_inferable = false,
};

}  // namespace assay
