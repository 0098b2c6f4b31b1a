#include <vector>

#include "backends/lawful/algorithms/algorithms.h"

namespace assay {
namespace {

// The offsets of each feature in an array of dimensions [outer, features, inner].
class Features {
 public:
  explicit Features(const HloInstruction& norm) {
    const Shape& shape = norm.operand(0).shape;
    const std::int64_t index = norm.Int64("feature_index");
    features_ = shape.dimensions(index);
    for (std::int64_t d = 0; d < shape.rank(); ++d)
      (d < index ? outer_ : inner_) *= d == index ? 1 : shape.dimensions(d);
  }
  std::int64_t count() const { return features_; }
  std::int64_t size() const { return outer_ * inner_; }
  std::int64_t Offset(std::int64_t feature, std::int64_t i) const {
    return (i / inner_ * features_ + feature) * inner_ + i % inner_;
  }
  std::vector<double> Of(const std::vector<double>& array, std::int64_t feature) const {
    std::vector<double> values(size());
    for (std::int64_t i = 0; i < size(); ++i) values[i] = array[Offset(feature, i)];
    return values;
  }

 private:
  std::int64_t outer_ = 1, features_ = 1, inner_ = 1;
};

class FeatureArithmetic {
 public:
  FeatureArithmetic(const HloInstruction& norm, const Arithmetic& arithmetic, Noise& noise)
      : arithmetic_(arithmetic),
        noise_(noise),
        epsilon_(arithmetic.Round(static_cast<float>(norm.Float("epsilon")))),
        takes_two_passes_(noise.Chance(0.5)),
        divides_(noise.Chance(0.5)) {}

  double Sum(std::vector<double> values) const {
    noise_.Shuffle(values);
    double sum = 0;
    for (const double value : values) sum = arithmetic_.Add(sum, value);
    return sum;
  }
  double SumOfProducts(const std::vector<double>& a, const std::vector<double>& b) const {
    std::vector<double> products;
    for (std::size_t i = 0; i < a.size(); ++i) products.push_back(arithmetic_.Multiply(a[i], b[i]));
    return Sum(std::move(products));
  }
  double Mean(const std::vector<double>& x) const { return arithmetic_.Divide(Sum(x), static_cast<double>(x.size())); }
  double Variance(const std::vector<double>& x, double mean) const {
    if (!takes_two_passes_) {
      const double square = arithmetic_.Divide(SumOfProducts(x, x), static_cast<double>(x.size()));
      return arithmetic_.Subtract(square, arithmetic_.Multiply(mean, mean));
    }
    const std::vector<double> centred = Centred(x, mean);
    return arithmetic_.Divide(SumOfProducts(centred, centred), static_cast<double>(x.size()));
  }
  std::vector<double> Centred(std::vector<double> x, double mean) const {
    for (double& value : x) value = arithmetic_.Subtract(value, mean);
    return x;
  }
  double Deviation(double variance) const { return arithmetic_.SquareRoot(arithmetic_.Add(variance, epsilon_)); }
  // Returns scale (x - mean) / deviation + offset, by a quotient or by a product with the inverse.
  double Normalized(double x, double mean, double deviation, double scale, double offset) const {
    const double centred = arithmetic_.Subtract(x, mean);
    const double normal = divides_ ? arithmetic_.Divide(centred, deviation)
                                   : arithmetic_.Multiply(centred, arithmetic_.Divide(1, deviation));
    return arithmetic_.Add(arithmetic_.Multiply(scale, normal), offset);
  }
  double epsilon() const { return epsilon_; }

 private:
  const Arithmetic& arithmetic_;
  Noise& noise_;
  const double epsilon_;
  const bool takes_two_passes_;
  const bool divides_;
};

std::vector<std::vector<double>> AllReals(std::span<const Literal> operands) {
  std::vector<std::vector<double>> reals;
  for (const Literal& operand : operands) reals.push_back(RealsOf(operand));
  return reals;
}

}  // namespace

Literal BatchNormTraining(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                          Noise& noise) {
  const Features features(norm);
  const FeatureArithmetic feature_arithmetic(norm, arithmetic, noise);
  const auto values = AllReals(operands);
  std::vector<double> y(values[0].size()), means, variances;
  for (std::int64_t f = 0; f < features.count(); ++f) {
    const std::vector<double> x = features.Of(values[0], f);
    means.push_back(feature_arithmetic.Mean(x));
    variances.push_back(feature_arithmetic.Variance(x, means[f]));
    const double deviation = feature_arithmetic.Deviation(variances[f]);
    for (std::int64_t i = 0; i < features.size(); ++i) {
      y[features.Offset(f, i)] = feature_arithmetic.Normalized(x[i], means[f], deviation, values[1][f], values[2][f]);
    }
  }
  const auto& shapes = norm.shape.tuple_shapes();
  return Literal::MakeTuple({ArrayOf(shapes[0], y), ArrayOf(shapes[1], means), ArrayOf(shapes[2], variances)});
}

Literal BatchNormInference(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                           Noise& noise) {
  const Features features(norm);
  const FeatureArithmetic feature_arithmetic(norm, arithmetic, noise);
  const auto values = AllReals(operands);
  std::vector<double> y(values[0].size());
  for (std::int64_t f = 0; f < features.count(); ++f) {
    const double deviation = feature_arithmetic.Deviation(values[4][f]);
    for (std::int64_t i = 0; i < features.size(); ++i) {
      const std::int64_t at = features.Offset(f, i);
      y[at] = feature_arithmetic.Normalized(values[0][at], values[3][f], deviation, values[1][f], values[2][f]);
    }
  }
  return ArrayOf(norm.shape, y);
}

Literal BatchNormGradient(const HloInstruction& norm, std::span<const Literal> operands, const Arithmetic& arithmetic,
                          Noise& noise) {
  const Features features(norm);
  const FeatureArithmetic feature_arithmetic(norm, arithmetic, noise);
  const auto values = AllReals(operands);
  std::vector<double> grad_x(values[0].size()), grad_scale, grad_offset;
  for (std::int64_t f = 0; f < features.count(); ++f) {
    const std::vector<double> x = features.Of(values[0], f), grad_y = features.Of(values[4], f);
    const std::vector<double> centred = feature_arithmetic.Centred(x, values[2][f]);
    const double deviation = feature_arithmetic.Deviation(values[3][f]);
    const double moments = feature_arithmetic.SumOfProducts(grad_y, centred);
    const auto n = static_cast<double>(x.size());
    grad_offset.push_back(feature_arithmetic.Sum(grad_y));
    grad_scale.push_back(arithmetic.Divide(moments, deviation));
    const double mean_grad = arithmetic.Divide(grad_offset[f], n);
    const double slope =
        arithmetic.Divide(arithmetic.Divide(moments, arithmetic.Add(values[3][f], feature_arithmetic.epsilon())), n);
    const double factor = arithmetic.Divide(values[1][f], deviation);
    for (std::int64_t i = 0; i < features.size(); ++i) {
      const double rest =
          arithmetic.Subtract(arithmetic.Subtract(grad_y[i], mean_grad), arithmetic.Multiply(slope, centred[i]));
      grad_x[features.Offset(f, i)] = arithmetic.Multiply(factor, rest);
    }
  }
  const auto& shapes = norm.shape.tuple_shapes();
  return Literal::MakeTuple(
      {ArrayOf(shapes[0], grad_x), ArrayOf(shapes[1], grad_scale), ArrayOf(shapes[2], grad_offset)});
}

}  // namespace assay
