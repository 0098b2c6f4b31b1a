// Many results of lawful evaluations, and whether another result is like them
// (docs/derivations.md#sums-in-narrow-types).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// Statistics of an array are compared with those of the samples. They are means over the elements of x, a result, and
// w, the exact one, in units of |w| and half the range of the samples:
// - factor: (x - w) sign w;  bias: x - w;  distance: |x - w|, all cut off at 1;  size: |x|, cut off at 2.
// A result is unlike the samples where one of its statistics lies outside of their hull by more than their noise
// explains, with a chance below 1e-9 each.
class LawfulSamples {
 public:
  // Exact results, rounded or not, of a float type.
  LawfulSamples(PrimitiveType type, std::vector<double> exact) : type_(type), exact_(std::move(exact)) {}

  // `is_noisy`: by the algorithm with the most noise, of which there are kSequentialOrders samples.
  void Add(std::vector<double> sample, bool is_noisy);

  // Sets the part of each result that flushing subnormal numbers to zero may take away. Samples flush nothing.
  void MayLose(std::vector<double> lost) { lost_ = std::move(lost); }

  // The lawful results of an element: the hull of its samples, wider by kRanges of the range of the noisy ones. `reach`
  // is the largest number on the way. Everything, if a sample is not finite.
  Reals ElementHull(std::size_t element, double reach) const;
  // True if the exact value of an element, or that of a sample, is this one.
  bool HasValue(std::size_t element, double value) const;

  // Elements whose errors depend on each other make the noise of a mean that of the means of the noisy samples. The
  // noise of independent elements is known better, from each of them.
  enum class Errors { kIndependent, kDependent };
  // Returns how `got` is unlike the samples, or an empty text. Fewer than kLeastElements elements decide nothing.
  std::string Fault(std::span<const double> got, Errors errors) const;

  static constexpr std::size_t kLeastElements = 64;

 private:
  struct Element {
    std::size_t at = 0;
    double scale = 0;
  };
  struct Statistic;
  static const Statistic kStatistics[];

  std::vector<Element> UsableElements(std::span<const double> got) const;
  double MeanOf(const Statistic& statistic, std::span<const double> x, const std::vector<Element>& elements) const;
  // The difference that samples may all lack by chance, relative to a number.
  double Units() const;
  // By how much flushing may move a mean: no statistic of an element moves by more than the loss in units of its scale.
  double LossOf(const std::vector<Element>& elements) const;
  // By how much a mean may lie outside of the hull of the samples' means.
  double NoiseOf(const Statistic& statistic, const std::vector<Element>& elements, Errors errors) const;

  PrimitiveType type_;
  std::vector<double> exact_, lost_;
  std::vector<std::vector<double>> samples_, noisy_;
};

}  // namespace assay
