#include "interpreter/ops/record.h"

namespace assay {

const Op op_batch_norm_training = {
    .name = "batch-norm-training",
    .meaning = "Normalisation by the batch mean and variance, which are returned too.",
    .arity = Exactly(3),
    .types = kFloats,
    .attributes = {Required("epsilon", AttributeKind::kFloat), Required("feature_index", AttributeKind::kInt64)},
    .not_evaluated = "its exact value is not implemented",
    .acceptance = Acceptance::kUlp,
    .ulp = 32,
};

}  // namespace assay
