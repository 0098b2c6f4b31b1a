#include "interpreter/ops/record.h"

namespace assay {

const Op op_reduce_precision = {
    .name = "reduce-precision",
    .meaning = "Each element rounded to fewer exponent and mantissa bits.",
    .arity = Exactly(1),
    .types = kFloats,
    .attributes = {Required("exponent_bits", AttributeKind::kInt64), Required("mantissa_bits", AttributeKind::kInt64)},
};

}  // namespace assay
