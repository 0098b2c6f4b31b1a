#include "interpreter/custom_calls/layer_norm.h"

#include <cmath>
#include <utility>
#include <vector>

#include "interpreter/acceptance/ops/common/batch_norm_bounds.h"
#include "interpreter/custom_calls/stand_in.h"
#include "interpreter/kernels/common/permuted.h"
#include "interpreter/ops/record.h"

namespace assay {
namespace {

constexpr double kNormRoundoff = 0x1p-24;  // of f32

Literal AlongFeatures(const Literal& rows, const Shape& shape) { return Broadcast(rows, {0}, shape); }
Literal OfElements(const std::optional<Literal>& elements, double if_absent, const Shape& shape) {
  return elements ? Broadcast(*elements, {1}, shape) : Broadcast(Number(if_absent), {}, shape);
}
Literal ColumnSums(const Literal& array) { return RowSums(Permuted(array, {1, 0})); }
Literal Means(const Literal& array) {
  return Times(RowSums(array), Number(1 / static_cast<double>(array.shape().dimensions(1))));
}
ErrorBounds NormBounds(const Literal& error, const Literal& magnitude) {
  return {DoublesOf(error), DoublesOf(magnitude)};
}

// A batch norm whose features are the rows, with the scale 1 and no offset: (x - mean) / deviation, mean, variance.
struct BatchNorm {
  BatchNorm(const LayerNorm& norm, PrimitiveType type)
      : operands{Converted(norm.x, type), Ones(norm, type, 1), Ones(norm, type, 0)},
        instruction(op_batch_norm_training, {operands[0].shape(), operands[1].shape(), operands[2].shape()},
                    {{"epsilon", norm.epsilon}, {"feature_index", std::int64_t{0}}},
                    ShapeUtil::MakeTupleShape({operands[0].shape(), operands[1].shape(), operands[1].shape()})) {}

  static Literal Ones(const LayerNorm& norm, PrimitiveType type, double value) {
    return Converted(Broadcast(Number(value), {}, ShapeUtil::MakeShape(F64, {norm.x.shape().dimensions(0)})), type);
  }
  std::vector<Literal> operands;
  StandIn instruction;
};

}  // namespace

LayerNormResult LayerNorm::Evaluate() const {
  const BatchNorm rows(*this, F64);
  const Literal normalized = rows.instruction.Evaluate(rows.operands);
  const Shape& shape = x.shape();
  const Literal& variance = normalized.elements()[2];
  return {Plus(Times(normalized.elements()[0], OfElements(scale, 1, shape)), OfElements(offset, 0, shape)),
          normalized.elements()[1], Elementwise(op_rsqrt, {Plus(variance, Number(static_cast<float>(epsilon)))})};
}

LayerNormGradients GradientsOf(const LayerNorm& norm, const Literal& output_gradient, const Literal& mean,
                               const Literal& reciprocal_deviation) {
  const Shape& shape = norm.x.shape();
  const Literal factor = AlongFeatures(reciprocal_deviation, shape);
  const Literal normalized = Times(Minus(norm.x, AlongFeatures(mean, shape)), factor);
  const Literal g = Times(output_gradient, OfElements(norm.scale, 1, shape));
  const Literal along = Times(normalized, AlongFeatures(Means(Times(g, normalized)), shape));
  return {Times(factor, Minus(Minus(g, AlongFeatures(Means(g), shape)), along)),
          ColumnSums(Times(output_gradient, normalized)), ColumnSums(output_gradient)};
}

LayerNormBounds BoundsOf(const LayerNorm& norm) {
  const BatchNorm rows(norm, F32);
  const Literal bounds = BatchNormTrainingBound(rows.instruction.instruction(), rows.operands);
  const LayerNormResult exact = norm.Evaluate();
  const Shape& shape = norm.x.shape();
  const Literal scale = Magnitudes(OfElements(norm.scale, 1, shape)),
                offset = Magnitudes(OfElements(norm.offset, 0, shape));
  const LayerNorm plain{norm.x, {}, {}, norm.epsilon};
  const Literal terms = Plus(Times(Magnitudes(plain.Evaluate().y), scale), offset);
  const Literal error = Plus(Times(bounds.elements()[0], scale), Times(terms, Number(3 * kNormRoundoff)));
  // If v changes by e, 1 / sqrt(v) changes by no more than 1 / sqrt(v - e) - 1 / sqrt(v). Its six roundings are
  // relative to the changed number.
  std::vector<double> factor_error = DoublesOf(exact.reciprocal_deviation);
  const std::vector<double> variance_error = DoublesOf(bounds.elements()[2]);
  for (std::size_t i = 0; i < factor_error.size(); ++i) {
    const double factor = factor_error[i], v = 1 / (factor * factor), e = variance_error[i] + 2 * kNormRoundoff * v;
    const double largest_factor = e < v ? 1 / std::sqrt(v - e) : INFINITY;
    factor_error[i] = largest_factor - factor + 6 * kNormRoundoff * largest_factor;
  }
  return {NormBounds(error, terms),
          NormBounds(bounds.elements()[1], Means(Magnitudes(norm.x))),
          {std::move(factor_error), DoublesOf(exact.reciprocal_deviation)}};
}

LayerNormGradientBounds BoundsOfGradients(const LayerNorm& norm, const Literal& output_gradient, const Literal& mean,
                                          const Literal& reciprocal_deviation) {
  const Shape& shape = norm.x.shape();
  const double rows = static_cast<double>(shape.dimensions(0)), elements = static_cast<double>(shape.dimensions(1));
  const Literal gradient = Magnitudes(output_gradient), factor = AlongFeatures(Magnitudes(reciprocal_deviation), shape);
  const Literal normalized = Times(Plus(Magnitudes(norm.x), AlongFeatures(Magnitudes(mean), shape)), factor);
  const Literal g = Times(gradient, Magnitudes(OfElements(norm.scale, 1, shape)));
  const Literal along = Times(normalized, AlongFeatures(Means(Times(g, normalized)), shape));
  const Literal terms = Times(factor, Plus(Plus(g, AlongFeatures(Means(g), shape)), along));
  const auto sums = [&](const Literal& each) {
    const Literal magnitude = ColumnSums(each);
    return NormBounds(Times(magnitude, Number((rows + 8) * kNormRoundoff)), magnitude);
  };
  return {NormBounds(Times(terms, Number((elements + 16) * kNormRoundoff)), terms), sums(Times(gradient, normalized)),
          sums(gradient)};
}

}  // namespace assay
