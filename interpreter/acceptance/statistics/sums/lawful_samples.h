// Many results of lawful evaluations, and a test whether another result is like them
// (docs/derivations.md#sums-in-narrow-types).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// Samples whose statistics are compared with those of an array. The statistics are means over the elements of x, a
// result, and w, the exact one, in units of |w| plus half the range of the samples:
// - factor: (x - w) sign w;  bias: x - w;  distance: |x - w|, all clamped at 1;  size: |x|, clamped at 2.
// A result is unlike the samples if one of its statistics is outside of their hull by more than their noise explains,
// with a false-alarm probability below 1e-9 each.
class LawfulSamples {
 public:
  // `exact` holds the exact results of a float type, rounded or not.
  LawfulSamples(PrimitiveType type, std::vector<double> exact) : type_(type), exact_(std::move(exact)) {}

  // Adds a sample. `is_noisy`: it is by the noisiest algorithm, which has kSequentialOrders samples.
  void Add(std::vector<double> sample, bool is_noisy);

  // Sets the part of each result that flushing subnormal numbers to zero may remove. Samples flush nothing.
  void MayLose(std::vector<double> lost) { lost_ = std::move(lost); }

  // Returns the lawful results of an element: the hull of its samples, widened by kRanges of the range of the noisy
  // ones. `reach` is the largest intermediate magnitude. Returns every number if a sample is not finite.
  Reals ElementHull(std::size_t element, double reach) const;
  // Returns the hull of an element's samples and its exact value, not widened.
  Reals SampledHull(std::size_t element) const;
  // Returns the distance of a value from the middle of that hull, in half-widths of it; a hull is at least as wide as
  // the noise of a few roundings at `reach`. Returns 0 if a sample is not finite.
  double HalfWidthsOff(std::size_t element, double reach, double value) const;
  // True if the exact value of an element, or that of a sample, is `value`.
  bool HasValue(std::size_t element, double value) const;

  // Dependence of the errors of different elements. If they depend on each other, the noise of a mean is that of the
  // means of the noisy samples. The noise of independent elements is known better, from each of them.
  enum class Errors { kIndependent, kDependent };
  // Returns the way in which `got` is unlike the samples; empty if it is like them, or for fewer than kLeastElements
  // elements.
  std::string Fault(std::span<const double> got, Errors errors) const;

  static constexpr std::size_t kLeastElements = 64;
  // The distance of a lawful result from the middle of what the algorithms give, in half-widths of their hull. Errors
  // of many independent roundings have a hull of 2.2 standard deviations.
  static constexpr double kMostHalfWidths = 8;

 private:
  struct Element {
    std::size_t at = 0;
    double scale = 0;
  };
  struct Statistic;
  static const Statistic kStatistics[];

  std::vector<Element> UsableElements(std::span<const double> got) const;
  double MeanOf(const Statistic& statistic, std::span<const double> x, const std::vector<Element>& elements) const;
  // Returns the relative difference from the samples that a lawful result may have by chance.
  double Units() const;
  // Returns the amount by which flushing may move a mean. No statistic of an element moves by more than the loss in
  // units of its scale.
  double LossOf(const std::vector<Element>& elements) const;
  // Returns the distance by which a mean may be outside of the hull of the samples' means.
  double NoiseOf(const Statistic& statistic, const std::vector<Element>& elements, Errors errors) const;

  PrimitiveType type_;
  std::vector<double> exact_, lost_;
  std::vector<std::vector<double>> samples_, noisy_;
};

}  // namespace assay
