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

struct Statistics {
  EnclosedReal mean;
  EnclosedReal variance;  // biased: the sum of squares over the number of elements
};

Statistics StatisticsOf(const std::vector<double>& elements, mpfr_prec_t precision) {
  const EnclosedReal count(static_cast<double>(elements.size()), precision);
  EnclosedReal sum(0, precision);
  LimitCheck check;
  for (double x : elements) {
    check();
    sum = sum + EnclosedReal(x, precision);
  }
  const EnclosedReal mean = sum / count;
  EnclosedReal squares(0, precision);
  for (double x : elements) {
    check();
    squares = squares + Square(EnclosedReal(x, precision) - mean);
  }
  return {mean, squares / count};
}

Literal EvaluateBatchNormTraining(const HloInstruction& batch_norm, std::span<Literal> operands, Evaluation&) {
  const PrimitiveType type = batch_norm.operand(0).shape.element_type();
  const FeatureElements elements(batch_norm);
  const std::vector<double> x = LoadParts(operands[0]), scale = LoadParts(operands[1]), offset = LoadParts(operands[2]);
  std::vector<Literal> results;
  for (const Shape& shape : batch_norm.shape.tuple_shapes()) results.push_back(Literal::Uninitialized(shape));
  std::byte* const normalized = results[0].mutable_data();
  std::byte* const means = results[1].mutable_data();
  std::byte* const variances = results[2].mutable_data();
  const std::int64_t grain = GrainOfRows(elements.count(), kEnclosedPerPiece);
  ParallelFor(elements.features, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t feature = begin; feature < end; ++feature) {
      AtEachPrecision<Statistics> statistics(
          [values = elements.Of(x, feature)](mpfr_prec_t precision) { return StatisticsOf(values, precision); });
      AtEachPrecision<Normalization> normalization([&](mpfr_prec_t precision) -> Normalization {
        const Statistics& s = statistics(precision);
        return {s.mean, Deviation(batch_norm, s.variance), {scale[feature], precision}, {offset[feature], precision}};
      });
      StoreRounded(type, means, feature, [&](mpfr_prec_t precision) { return statistics(precision).mean; });
      StoreRounded(type, variances, feature, [&](mpfr_prec_t precision) { return statistics(precision).variance; });
      NormalizeFeature(elements, feature, x, normalization, type, normalized);
    }
  });
  return Literal::MakeTuple(std::move(results));
}

}  // namespace

const OpKernel kernel_batch_norm_training = {.op = &op_batch_norm_training, .evaluate = EvaluateBatchNormTraining};

}  // namespace assay
