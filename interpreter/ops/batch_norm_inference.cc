#include "interpreter/ops/record.h"

namespace assay {

const Op op_batch_norm_inference = {
    .name = "batch-norm-inference",
    .meaning = "Normalisation by given mean and variance.",
    .arity = Exactly(5),
    .types = kFloats,
    .attributes = {Required("epsilon", AttributeKind::kFloat), Required("feature_index", AttributeKind::kInt64)},
    .not_evaluated = "its exact value is not implemented",
    .acceptance = Acceptance::kUlp,
    .ulp = 8,
};

}  // namespace assay
