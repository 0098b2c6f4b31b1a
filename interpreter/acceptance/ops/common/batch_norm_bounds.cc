#include "interpreter/acceptance/ops/common/batch_norm_bounds.h"

#include <cmath>
#include <limits>

#include "interpreter/numerics/parts.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/batch_norm.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// The roundings of a normalization in any of its usual forms: scale (x - mean) / deviation + offset, x factor + (offset
// - mean factor) and so on. The reciprocal square root counts as six.
constexpr double kRoundings = 14;
// The roundings of a gradient of the scale besides its n additions, for sum(grad y (x - mean)) / deviation, sum(grad y
// (x - mean) / deviation), or (sum(grad y x) - mean sum(grad y)) / deviation: at most two before the sum, two after it,
// six of the reciprocal square root. That of the radicand counts half.
constexpr double kScaleRoundings = 10;
// Those of a gradient of x: four of its slope besides the sum, two of the slope's product, two subtractions, six of the
// reciprocal square root, and two products with the factor. The roundings of the radicand count one and a half times.
constexpr double kGradRoundings = 16;

// The roundings in the arithmetic of an element type.
class Roundings {
 public:
  explicit Roundings(PrimitiveType type) {
    const FloatFormat& format = FloatFormatOf(type);
    u_ = std::ldexp(1.0, -format.precision());
    least_normal_ = std::ldexp(1.0, format.min_exponent());
    largest_ = ToDouble(format, format.max_finite_bits());
    flushes_ = format.bits() >= 16;
    of_nan_ = format.nan == NanEncoding::kNone ? std::numeric_limits<double>::quiet_NaN() : 0;
  }
  // Returns the bound of results that are NaN in every rounding, such as the root of a negative number. It is NaN, so
  // nothing is known, for a format without NaN: the result becomes a number at whichever step leaves wider arithmetic.
  double OfNan() const { return of_nan_; }
  // Returns k u / (1 - k u), the relative error of k roundings (Higham, lemma 3.1). Infinite if it may be the whole
  // number.
  double Gamma(double k) const { return k * u_ < 0.5 ? k * u_ / (1 - k * u_) : INFINITY; }
  // Returns the error of k roundings below the normal numbers, which units may flush.
  double Underflow(double k) const { return k * least_normal_; }
  // True if a number may count as zero.
  bool MayVanish(double x) const { return x == 0 || (flushes_ && std::fabs(x) <= least_normal_); }
  // Returns the error of a number that may count as zero.
  double Flushed(double x) const { return flushes_ && std::fabs(x) < least_normal_ ? std::fabs(x) : 0; }
  // Returns the bound; NaN, so that nothing is known, if an operand or intermediate result of this magnitude is not
  // finite or may overflow by rounding.
  double Checked(double magnitude, double bound) const {
    return 2 * magnitude < largest_ ? bound : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  double u_ = 0;
  double least_normal_ = 0;
  double largest_ = 0;
  double of_nan_ = 0;
  bool flushes_ = false;
};

Literal NoBounds(const Shape& shape) { return Literal(ShapeUtil::ChangeElementType(shape, F64)); }

std::vector<std::vector<double>> LoadAll(std::span<const Literal> operands) {
  std::vector<std::vector<double>> values;
  for (const Literal& operand : operands) values.push_back(LoadParts(operand));
  return values;
}

double Epsilon(const HloInstruction& instruction) { return static_cast<float>(instruction.Float("epsilon")); }

// Returns the factor by which the relative error of variance + epsilon grows if they cancel.
double Cancellation(double variance, double epsilon) {
  return (std::fabs(variance) + 2 * std::fabs(epsilon)) / std::fabs(variance + epsilon);
}

// The mean and biased variance of a feature, and the bounds of their errors.
struct Statistics {
  double mean = 0, mean_error = 0;
  double variance = 0, variance_error = 0;
  double sum = 0, square_sum = 0;  // of magnitudes: bounds of partial sums
};

// Returns the statistics of a feature. The variance may be computed as the mean of (x - mean)^2, or as the mean of x^2
// less mean^2, as XLA's expander does. The magnitudes x^2 bound the error of both.
Statistics StatisticsOf(const std::vector<double>& x, const Roundings& roundings) {
  const auto n = static_cast<double>(x.size());
  Statistics s;
  long double sum = 0, magnitudes = 0, squares = 0, centred = 0;
  for (double value : x) {
    sum += value;
    magnitudes += std::fabs(value);
    squares += static_cast<long double>(value) * value;
  }
  const long double mean = sum / n;
  for (double value : x) centred += (value - mean) * (value - mean);
  s.mean = static_cast<double>(mean);
  s.variance = static_cast<double>(centred / n);
  const auto mean_magnitude = static_cast<double>(magnitudes / n), mean_square = static_cast<double>(squares / n);
  s.mean_error = roundings.Gamma(n + 3) * mean_magnitude + roundings.Underflow(n + 3);
  s.variance_error = roundings.Gamma(n + 8) * (mean_square + s.mean * s.mean) +
                     (2 * (std::fabs(s.mean) + mean_magnitude) + s.mean_error) * s.mean_error +
                     roundings.Underflow(2 * n + 8);
  s.sum = static_cast<double>(magnitudes);
  s.square_sum = static_cast<double>(squares);
  return s;
}

// Returns the least value of variance + epsilon. Each of them may count as zero.
double LeastRadicand(const Statistics& s, double epsilon, const Roundings& roundings) {
  return s.variance + epsilon - s.variance_error - roundings.Flushed(s.variance) - roundings.Flushed(epsilon);
}

// Returns the error of scale (x - mean) / sqrt(variance + epsilon) + offset for statistics with their errors.
double NormalizedBound(double x, const Statistics& s, double epsilon, double scale, double offset,
                       const Roundings& roundings) {
  const double radicand = s.variance + epsilon;
  const double least = LeastRadicand(s, epsilon, roundings);
  const double factor = 1 / std::sqrt(radicand);
  const double largest_factor = least > 0 ? 1 / std::sqrt(least) : INFINITY;
  const double spread = std::fabs(x) + std::fabs(s.mean) + s.mean_error;
  const double from_statistics = std::fabs(x - s.mean) * (largest_factor - factor) + s.mean_error * largest_factor;
  const double gamma = roundings.Gamma(kRoundings + 2 * Cancellation(s.variance, epsilon));
  return std::fabs(scale) * from_statistics + gamma * (std::fabs(scale) * largest_factor * spread + std::fabs(offset)) +
         roundings.Underflow(4) * (1 + std::fabs(scale)) * (1 + spread) * (1 + largest_factor);
}

// Returns a bound of the intermediate results of a normalization in any of its usual forms.
double NormalizedMagnitude(double x, const Statistics& s, double epsilon, double scale, double offset,
                           const Roundings& roundings) {
  const double least = LeastRadicand(s, epsilon, roundings);
  const double factor = least > 0 ? 1 / std::sqrt(least) : 0;
  const double spread = std::fabs(x) + std::fabs(s.mean) + s.mean_error;
  return std::fabs(offset) + std::fabs(s.variance) + (1 + std::fabs(scale)) * (1 + factor) * (1 + spread);
}

// The relative errors of the gradients of scale and x by the roundings of their terms.
struct GradGammas {
  double scale = 0, x = 0;
};

GradGammas GammasOfGrad(const Roundings& roundings, double n, double cancellation) {
  return {.scale = roundings.Gamma(n + kScaleRoundings + cancellation),
          .x = roundings.Gamma(n + kGradRoundings + 2 * cancellation)};
}

}  // namespace

Literal BatchNormInferenceBound(const HloInstruction& instruction, std::span<const Literal> operands) {
  const FeatureElements elements(instruction);
  const Roundings roundings(instruction.shape.element_type());
  const std::vector<std::vector<double>> values = LoadAll(operands);
  const double epsilon = Epsilon(instruction);
  Literal result = NoBounds(instruction.shape);
  const auto bounds = result.mutable_values<double>();
  for (std::int64_t feature = 0; feature < elements.features; ++feature) {
    const double scale = values[1][feature], offset = values[2][feature];
    const Statistics given = {.mean = values[3][feature], .variance = values[4][feature]};
    const double radicand = given.variance + epsilon;
    for (std::int64_t i = 0; i < elements.count(); ++i) {
      const std::int64_t at = elements.Offset(feature, i);
      const double x = values[0][at];
      const double magnitude = NormalizedMagnitude(x, given, epsilon, scale, offset, roundings) +
                               (roundings.MayVanish(radicand) ? INFINITY : 0);
      bounds[at] = roundings.Checked(
          magnitude, radicand < 0 ? roundings.OfNan() : NormalizedBound(x, given, epsilon, scale, offset, roundings));
    }
  }
  return result;
}

Literal BatchNormTrainingBound(const HloInstruction& instruction, std::span<const Literal> operands) {
  const FeatureElements elements(instruction);
  const Roundings roundings(instruction.operand(0).shape.element_type());
  const std::vector<std::vector<double>> values = LoadAll(operands);
  const double epsilon = Epsilon(instruction);
  std::vector<Literal> results;
  for (const Shape& shape : instruction.shape.tuple_shapes()) results.push_back(NoBounds(shape));
  const auto normalized = results[0].mutable_values<double>();
  const auto means = results[1].mutable_values<double>();
  const auto variances = results[2].mutable_values<double>();
  for (std::int64_t feature = 0; feature < elements.features; ++feature) {
    const double scale = values[1][feature], offset = values[2][feature];
    const Statistics s = StatisticsOf(elements.Of(values[0], feature), roundings);
    means[feature] = roundings.Checked(s.sum, s.mean_error);
    variances[feature] = roundings.Checked(s.square_sum, s.variance_error);
    const double statistics =
        s.sum + s.square_sum + (s.variance + epsilon < 0 || roundings.MayVanish(s.variance + epsilon) ? INFINITY : 0);
    for (std::int64_t i = 0; i < elements.count(); ++i) {
      const std::int64_t at = elements.Offset(feature, i);
      const double magnitude = statistics + NormalizedMagnitude(values[0][at], s, epsilon, scale, offset, roundings);
      normalized[at] =
          roundings.Checked(magnitude, NormalizedBound(values[0][at], s, epsilon, scale, offset, roundings));
    }
  }
  return Literal::MakeTuple(std::move(results));
}

// grad x = scale / deviation (grad y - d - c (x - mean)), where d is the mean of grad y, and c the mean of grad y (x -
// mean) over variance + epsilon. Mean and variance are operands, so only sums and products round.
Literal BatchNormGradBound(const HloInstruction& instruction, std::span<const Literal> operands) {
  const FeatureElements elements(instruction);
  const Roundings roundings(instruction.operand(0).shape.element_type());
  const std::vector<std::vector<double>> values = LoadAll(operands);
  const double epsilon = Epsilon(instruction);
  const auto n = static_cast<double>(elements.count());
  std::vector<Literal> results;
  for (const Shape& shape : instruction.shape.tuple_shapes()) results.push_back(NoBounds(shape));
  const auto grad_x = results[0].mutable_values<double>();
  for (std::int64_t feature = 0; feature < elements.features; ++feature) {
    const std::vector<double> x = elements.Of(values[0], feature), grad_y = elements.Of(values[4], feature);
    const double scale = std::fabs(values[1][feature]), mean = std::fabs(values[2][feature]);
    const double variance = values[3][feature], radicand = variance + epsilon;
    double sum = 0, moments = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += std::fabs(grad_y[i]);
      moments += std::fabs(grad_y[i]) * (std::fabs(x[i]) + mean);
    }
    const double factor = 1 / std::sqrt(radicand);
    const auto [k_scale, k_x] = GammasOfGrad(roundings, n, Cancellation(variance, epsilon));
    const double lost = roundings.Underflow(n + 8) * (1 + scale) * (1 + factor) * (1 + 1 / std::fabs(radicand));
    // The magnitude of the intermediate results.
    const double magnitude = sum + scale + std::fabs(variance) + (1 + moments) * (1 + 1 / std::fabs(radicand)) +
                             (roundings.MayVanish(radicand) ? INFINITY : 0);
    const auto checked = [&](double on_the_way, double bound) {
      return roundings.Checked(magnitude + (radicand < 0 ? 0 : on_the_way), radicand < 0 ? roundings.OfNan() : bound);
    };
    results[1].mutable_values<double>()[feature] = checked((1 + moments) * factor, k_scale * moments * factor + lost);
    results[2].mutable_values<double>()[feature] =
        roundings.Checked(sum, roundings.Gamma(n + 3) * sum + roundings.Underflow(n + 3));
    const double slope = moments / std::fabs(radicand) / n;
    for (std::int64_t i = 0; i < elements.count(); ++i) {
      const double spread = std::fabs(x[i]) + mean;
      const double terms = std::fabs(grad_y[i]) + sum / n + slope * spread;
      const double on_the_way = n * (1 + terms) * (1 + scale) * (1 + factor) + moments * spread;
      // The terms multiply the underflow error of scale / deviation.
      const double lost_here = lost * (1 + spread + terms);
      grad_x[elements.Offset(feature, i)] = checked(on_the_way, k_x * scale * factor * terms + lost_here);
    }
  }
  return Literal::MakeTuple(std::move(results));
}

}  // namespace assay
