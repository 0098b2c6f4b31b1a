#include "interpreter/ops/common/batch_norm.h"
#include "interpreter/ops/plain/element_wise.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferBatchNormInference(const HloInstruction& batch_norm) {
  ASSAY_CHECK_OK(CheckBatchNorm(batch_norm, {1, 2, 3, 4}));
  return batch_norm.operand(0).shape;
}

// scale[f] (operand[index] - mean[f]) / sqrt(variance[f] + epsilon) + offset[f], with f = index[feature_index].
// A sum of zero is +0 (docs/decisions.md), hence the zeros added.
Literal EvaluateBatchNormInference(const HloInstruction& batch_norm, std::span<Literal> operands, Evaluation&) {
  const Real epsilon = static_cast<float>(batch_norm.Float("epsilon"));
  Outputs result(batch_norm.shape);
  ForEachIndex(result.bounds(), [&](const Index& index) {
    const Index f = {index[batch_norm.Int64("feature_index")]};
    const Real x = RealOf(At(operands[0], index)), scale = RealOf(At(operands[1], f));
    const Real offset = RealOf(At(operands[2], f)), mean = RealOf(At(operands[3], f));
    const Real deviation = Sqrt(RealOf(At(operands[4], f)) + epsilon);
    result.Set(index, Rounded(batch_norm.shape.element_type(), scale * (x - mean + 0) / deviation + offset + 0, {}));
  });
  return std::move(result).Take();
}

}  // namespace

const Op op_batch_norm_inference = {
    .name = "batch-norm-inference",
    .meaning = "Normalisation by given mean and variance.",
    .syntax =
        {
            .attributes = {Required("epsilon", AttributeKind::kFloat),
                           Required("feature_index", AttributeKind::kInt64)},
        },
    .legality = {.arity = Exactly(5), .types = kFloats, .infer = InferBatchNormInference},
    .evaluation = {.evaluate = EvaluateBatchNormInference, .fit_run_time_sizes = EqualizeFeatures},
};

}  // namespace assay
