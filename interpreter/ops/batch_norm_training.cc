#include <algorithm>

#include "interpreter/ops/common/batch_norm.h"
#include "interpreter/ops/plain/element_wise.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferBatchNormTraining(const HloInstruction& batch_norm) {
  ASSAY_CHECK_OK(CheckBatchNorm(batch_norm, {1, 2}));
  return BatchNormTuple(batch_norm);
}

// With n elements for each feature f = index[feature_index]:
//   mean[f]           = sum of operand[index] / n
//   variance[f]       = sum of (operand[index] - mean[f])^2 / n
//   normalized[index] = scale[f] (operand[index] - mean[f]) / sqrt(variance[f] + epsilon) + offset[f]
// A sum of zero is +0 (docs/decisions.md), hence the zeros added.
Literal EvaluateBatchNormTraining(const HloInstruction& batch_norm, std::span<Literal> operands, Evaluation&) {
  const Bounds bounds = operands[0].shape().dimensions();
  const std::int64_t feature_index = batch_norm.Int64("feature_index"), features = bounds[feature_index];
  const auto n = static_cast<double>(Product(bounds) / std::max<std::int64_t>(features, 1));
  const Real epsilon = static_cast<float>(batch_norm.Float("epsilon"));
  const PrimitiveType type = operands[0].element_type();
  std::vector<Real> mean(features, 0), variance(features, 0), deviation;
  ForEachIndex(bounds, [&](const Index& index) {
    const std::int64_t f = index[feature_index];
    mean[f] = mean[f] + RealOf(At(operands[0], index));
  });
  for (Real& sum : mean) sum = sum / n;
  ForEachIndex(bounds, [&](const Index& index) {
    const std::int64_t f = index[feature_index];
    const Real away = RealOf(At(operands[0], index)) - mean[f];
    variance[f] = variance[f] + away * away;
  });
  for (Real& sum : variance) sum = sum / n;
  for (const Real& square : variance) deviation.push_back(Sqrt(square + epsilon));
  std::vector<Literal> results(batch_norm.shape.tuple_shapes().begin(), batch_norm.shape.tuple_shapes().end());
  ForEachIndex(bounds, [&](const Index& index) {
    const std::int64_t f = index[feature_index];
    const Real scale = RealOf(At(operands[1], {f})), offset = RealOf(At(operands[2], {f}));
    const Real x = RealOf(At(operands[0], index));
    Set(results[0], index, Rounded(type, scale * (x - mean[f] + 0) / deviation[f] + offset + 0, {}));
  });
  for (std::int64_t f = 0; f < features; ++f) {
    Set(results[1], {f}, Rounded(type, mean[f], {}));
    Set(results[2], {f}, Rounded(type, variance[f], {}));
  }
  return Literal::MakeTuple(std::move(results));
}

}  // namespace

const Op op_batch_norm_training = {
    .name = "batch-norm-training",
    .meaning = "Normalisation by the batch mean and variance, which are returned too.",
    .syntax =
        {
            .attributes = {Required("epsilon", AttributeKind::kFloat),
                           Required("feature_index", AttributeKind::kInt64)},
        },
    .legality = {.arity = Exactly(3), .types = kFloats, .infer = InferBatchNormTraining},
    .evaluation = {.evaluate = EvaluateBatchNormTraining, .fit_run_time_sizes = EqualizeFeatures},
};

}  // namespace assay
