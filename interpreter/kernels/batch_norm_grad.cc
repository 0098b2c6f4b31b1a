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

// The terms of one feature in grad x = gamma / deviation (grad y - d - c (x - mean)), the specification's formula (XLA,
// Operation Semantics: BatchNormGrad), and the gradients of scale and offset.
struct Gradient {
  EnclosedReal mean;
  EnclosedReal deviation;
  EnclosedReal scale;
  EnclosedReal c;
  EnclosedReal d;
  EnclosedReal grad_scale;
  EnclosedReal grad_offset;
};

struct Feature {
  std::vector<double> x;
  std::vector<double> grad_y;
  double scale;
  double mean;
  double variance;
};

Gradient GradientOf(const HloInstruction& grad, const Feature& feature, mpfr_prec_t precision) {
  const EnclosedReal mean(feature.mean, precision);
  EnclosedReal moments(0, precision), sum(0, precision);
  for (std::size_t i = 0; i < feature.x.size(); ++i) {
    const EnclosedReal grad_y(feature.grad_y[i], precision);
    sum = sum + grad_y;
    moments = moments + grad_y * (EnclosedReal(feature.x[i], precision) - mean);
  }
  const EnclosedReal count(static_cast<double>(feature.x.size()), precision);
  const EnclosedReal variance(feature.variance, precision);
  const EnclosedReal epsilon(static_cast<float>(grad.Float("epsilon")), precision);
  const EnclosedReal deviation = Deviation(grad, variance);
  return {.mean = mean,
          .deviation = deviation,
          .scale = EnclosedReal(feature.scale, precision),
          .c = moments / (variance + epsilon) / count,
          .d = sum / count,
          .grad_scale = moments / deviation,
          .grad_offset = sum};
}

void StoreGradX(const FeatureElements& elements, std::int64_t number, const Feature& feature,
                AtEachPrecision<Gradient>& gradient, PrimitiveType type, std::byte* result) {
  const Gradient& first = gradient(kFirstPrecision);
  const Ball mean = first.mean.ToBall(), c = first.c.ToBall(), d = first.d.ToBall();
  const Ball factor = (first.scale / first.deviation).ToBall();
  for (std::int64_t i = 0; i < elements.count(); ++i) {
    const std::int64_t at = elements.Offset(number, i);
    const double x = feature.x[i], grad_y = feature.grad_y[i];
    if (const auto bits = CertainBits(FloatFormatOf(type), factor * (grad_y - d - c * (x - mean)))) {
      StorePart(type, result, at, *bits);
      continue;
    }
    StoreRounded(type, result, at, [&](mpfr_prec_t precision) {
      const Gradient& g = gradient(precision);
      const EnclosedReal centred = EnclosedReal(x, precision) - g.mean;
      return g.scale * (EnclosedReal(grad_y, precision) - g.d - g.c * centred) / g.deviation;
    });
  }
}

Literal EvaluateBatchNormGrad(const HloInstruction& grad, std::span<Literal> operands, Evaluation&) {
  const PrimitiveType type = grad.operand(0).shape.element_type();
  const FeatureElements elements(grad);
  std::vector<std::vector<double>> values;
  for (const Literal& operand : operands) values.push_back(LoadParts(operand));
  std::vector<Literal> results;
  for (const Shape& shape : grad.shape.tuple_shapes()) results.push_back(Literal::Uninitialized(shape));
  std::byte* const grad_x = results[0].mutable_data();
  std::byte* const grad_scale = results[1].mutable_data();
  std::byte* const grad_offset = results[2].mutable_data();
  const std::int64_t grain = GrainOfRows(elements.count(), kEnclosedPerPiece);
  ParallelFor(elements.features, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Feature feature = {.x = elements.Of(values[0], i),
                               .grad_y = elements.Of(values[4], i),
                               .scale = values[1][i],
                               .mean = values[2][i],
                               .variance = values[3][i]};
      AtEachPrecision<Gradient> gradient([&](mpfr_prec_t precision) { return GradientOf(grad, feature, precision); });
      StoreRounded(type, grad_scale, i, [&](mpfr_prec_t precision) { return gradient(precision).grad_scale; });
      StoreRounded(type, grad_offset, i, [&](mpfr_prec_t precision) { return gradient(precision).grad_offset; });
      StoreGradX(elements, i, feature, gradient, type, grad_x);
    }
  });
  return Literal::MakeTuple(std::move(results));
}

}  // namespace

const OpKernel kernel_batch_norm_grad = {.op = &op_batch_norm_grad, .evaluate = EvaluateBatchNormGrad};

}  // namespace assay
