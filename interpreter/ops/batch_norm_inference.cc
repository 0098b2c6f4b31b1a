#include "interpreter/ops/common/batch_norm.h"
#include "interpreter/ops/common/batch_norm_bounds.h"
#include "interpreter/ops/common/matrix_rules.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

Result<Shape> Infer(const HloInstruction& batch_norm) {
  ASSAY_CHECK_OK(CheckBatchNorm(batch_norm, {1, 2, 3, 4}));
  return batch_norm.operand(0).shape;
}

Literal Evaluate(const HloInstruction& batch_norm, std::span<Literal> operands, Evaluation&) {
  const FeatureElements elements(batch_norm);
  std::vector<std::vector<double>> values;
  for (const Literal& operand : operands) values.push_back(LoadParts(operand));
  Literal result = Literal::Uninitialized(batch_norm.shape);
  std::byte* const out = result.mutable_data();
  ParallelFor(elements.features, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t feature = begin; feature < end; ++feature) {
      AtEachPrecision<Normalization> normalization([&](mpfr_prec_t precision) -> Normalization {
        const auto of = [&](int operand) { return EnclosedReal(values[operand][feature], precision); };
        return {.mean = of(3), .deviation = Deviation(batch_norm, of(4)), .scale = of(1), .offset = of(2)};
      });
      NormalizeFeature(elements, feature, values[0], normalization, batch_norm.shape.element_type(), out);
    }
  });
  return result;
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
    .legality = {.arity = Exactly(5), .types = kFloats, .infer = Infer},
    .evaluation = {.evaluate = Evaluate, .fit_run_time_sizes = EqualizeFeatures},
    .acceptance = {.rule = Acceptance::kDerived, .error_bound = BatchNormInferenceBound},
};

}  // namespace assay
