#include "interpreter/ops/record.h"

namespace assay {

const Op op_batch_norm_grad = {
    .name = "batch-norm-grad",
    .meaning = "The gradients of batch-norm-training.",
    .arity = Exactly(5),
    .types = kFloats,
    .attributes = {Required("epsilon", AttributeKind::kFloat), Required("feature_index", AttributeKind::kInt64)},
    .not_evaluated = "its exact value is not implemented",
    .acceptance = Acceptance::kUlp,
    .ulp = 64,
};

}  // namespace assay
