#include <algorithm>

#include "interpreter/ops/common/batch_norm.h"
#include "interpreter/ops/common/legality.h"
#include "interpreter/ops/plain/element_wise.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

using namespace plain;

Result<Shape> InferBatchNormGrad(const HloInstruction& grad) {
  ASSAY_CHECK_OK(CheckBatchNorm(grad, {1, 2, 3}));
  ASSAY_CHECK_OK(CheckArrayOperand(grad, 4, kFloats, "floating"));
  const Shape& operand = grad.operand(0).shape;
  const Shape& grad_output = grad.operand(4).shape;
  if (operand.dimensions() != grad_output.dimensions()) {
    return Illegal(grad, "operands 0 and 4 must have the same dimensions, found {} and {}",
                   operand.ToStringWithoutLayout(), grad_output.ToStringWithoutLayout());
  }
  return BatchNormTuple(grad);
}

// With n elements for each feature f = index[feature_index], away[index] = operand[index] - mean[f] and
// spread[f] = variance[f] + epsilon:
//   grad_offset[f]      = sum of grad_output[index]
//   moment[f]           = sum of grad_output[index] away[index]
//   grad_scale[f]       = moment[f] / sqrt(spread[f])
//   grad_operand[index] = scale[f] (grad_output[index] - grad_offset[f] / n - moment[f] / spread[f] / n away[index])
//                         / sqrt(spread[f])
// The specification's d is grad_offset / n, and its c is moment / spread / n. It divides each term of a sum by spread
// or its root; this body divides the sum. The results differ only for a spread of 0 (docs/decisions.md, Batch
// normalization). A difference that cancels is +0 (the same section): `+ 0` changes -0 - 0 to +0.
Literal EvaluateBatchNormGrad(const HloInstruction& grad, std::span<Literal> operands, Evaluation&) {
  const Bounds bounds = operands[0].shape().dimensions();
  const std::int64_t feature_index = grad.Int64("feature_index"), features = bounds[feature_index];
  const auto n = static_cast<double>(Product(bounds) / std::max<std::int64_t>(features, 1));
  const Real epsilon = static_cast<float>(grad.Float("epsilon"));
  const PrimitiveType type = operands[0].element_type();
  const auto of_feature = [&](int operand, std::int64_t f) { return RealOf(At(operands[operand], {f})); };
  const auto away = [&](const Index& index) {
    return RealOf(At(operands[0], index)) - of_feature(2, index[feature_index]) + 0;
  };
  const auto grad_output = [&](const Index& index) { return RealOf(At(operands[4], index)); };
  std::vector<Real> sum(features, 0), moment(features, 0), spread, deviation;
  for (std::int64_t f = 0; f < features; ++f) {
    spread.push_back(of_feature(3, f) + epsilon);
    deviation.push_back(Sqrt(spread[f]));
  }
  ForEachIndex(bounds, [&](const Index& index) {
    const std::int64_t f = index[feature_index];
    sum[f] = sum[f] + grad_output(index);
    moment[f] = moment[f] + grad_output(index) * away(index);
  });
  std::vector<Literal> results(grad.shape.tuple_shapes().begin(), grad.shape.tuple_shapes().end());
  ForEachIndex(bounds, [&](const Index& index) {
    const std::int64_t f = index[feature_index];
    const Real rest = grad_output(index) - sum[f] / n - moment[f] / spread[f] / n * away(index) + 0;
    Set(results[0], index, Rounded(type, of_feature(1, f) * rest / deviation[f], {}));
  });
  for (std::int64_t f = 0; f < features; ++f) {
    Set(results[1], {f}, Rounded(type, moment[f] / deviation[f], {}));
    Set(results[2], {f}, Rounded(type, sum[f], {}));
  }
  return Literal::MakeTuple(std::move(results));
}

}  // namespace

const Op op_batch_norm_grad = {
    .name = "batch-norm-grad",
    .meaning = "The gradients of batch-norm-training.",
    .syntax =
        {
            .attributes = {Required("epsilon", AttributeKind::kFloat),
                           Required("feature_index", AttributeKind::kInt64)},
        },
    .legality = {.arity = Exactly(5), .types = kFloats, .infer = InferBatchNormGrad},
    .evaluation = {.evaluate = EvaluateBatchNormGrad, .fit_run_time_sizes = EqualizeFeatures},
};

}  // namespace assay
