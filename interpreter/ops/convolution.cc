#include "interpreter/ops/record.h"

namespace assay {

const Op op_convolution = {
    .name = "convolution",
    .meaning = "Sums of products of a sliding window with a kernel.",
    .arity = AtLeast(2),
    .types = kArrays,
    .attributes = {Optional("window", AttributeKind::kWindow), Required("dim_labels", AttributeKind::kDimLabels),
                   Integer("feature_group_count", 1), Integer("batch_group_count", 1),
                   OneOf("convolution_kind", "unset", {"unset", "fprop", "wgrad", "dgrad"}), OperandPrecision(),
                   DotAlgorithm(), Optional("sparsity_config", AttributeKind::kSparsity),
                   Optional("block_scaling_config", AttributeKind::kRaw)},
    .acceptance = Acceptance::kSum,
};

}  // namespace assay
