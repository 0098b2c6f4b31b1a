// An approximate phase in balls, then intervals at increasing precision. Features run in parallel.
#include <cmath>

#include "interpreter/kernels/common/normalization.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/numerics/certain.h"
#include "interpreter/numerics/parts.h"
#include "interpreter/ops/record.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/parallel.h"

namespace assay {
namespace {

Literal EvaluateBatchNormInference(const HloInstruction& batch_norm, std::span<Literal> operands, Evaluation&) {
  const FeatureElements elements(batch_norm);
  std::vector<std::vector<double>> values;
  for (const Literal& operand : operands) values.push_back(LoadParts(operand));
  Literal result = Literal::Uninitialized(batch_norm.shape);
  std::byte* const out = result.mutable_data();
  const std::int64_t grain = GrainOfRows(elements.count(), kEnclosedPerPiece);
  ParallelFor(elements.features, grain, [&](std::int64_t begin, std::int64_t end) {
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

const OpKernel kernel_batch_norm_inference = {.op = &op_batch_norm_inference, .evaluate = EvaluateBatchNormInference};

}  // namespace assay
