#include "interpreter/acceptance/statistics/samples/common_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/value_set.h"

namespace assay {
namespace {

// The elements whose errors are averaged: at most so many, evenly spread, and at least so many.
constexpr std::int64_t kMostAveraged = 4096;
constexpr std::size_t kLeastAveraged = 16;
// One element counts for no more than this in a mean.
constexpr double kMostOfElement = 4;
// A common error is far if it differs from that of every run by more than this many times the largest difference in a
// pair of runs, and by more than one unit in the last place of each element.
constexpr double kTimesCommon = 6;

}  // namespace

CommonErrors::CommonErrors(const Literal& want, const Literal& got)
    : type_(ComplexComponentType(want.element_type())), want_(SomeNumbers(want)), got_(SomeNumbers(got)) {}

void CommonErrors::See(const Literal& a, const Literal& b) { pairs_.emplace_back(SomeNumbers(a), SomeNumbers(b)); }

CommonErrors::Numbers CommonErrors::SomeNumbers(const Literal& array) {
  const std::int64_t all = array.element_count() * ComponentCount(array.element_type());
  const std::int64_t count = std::min(all, kMostAveraged);
  Numbers numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(NumberAt(array, i * all / count));
  return numbers;
}

std::vector<CommonErrors::Weight> CommonErrors::Weights() const {
  std::vector<Weight> weights;
  for (std::size_t i = 0; i < want_.size(); ++i) {
    const double unit = UnitInTheLastPlace(type_, want_[i]);
    double scale = unit;
    bool is_finite = std::isfinite(want_[i]) && std::isfinite(got_[i]);
    for (const auto& [a, b] : pairs_) {
      is_finite &= std::isfinite(a[i]) && std::isfinite(b[i]);
      scale = std::max(scale, std::fabs(a[i] - b[i]));
    }
    for (const Numbers& run : of_uses_) is_finite &= std::isfinite(run[i]);
    // Below the normal numbers relative errors vanish.
    if (is_finite && std::fabs(want_[i]) >= LeastNormal(type_)) weights.push_back({i, scale, unit / scale});
  }
  return weights;
}

double CommonErrors::MeanOf(const Numbers& run, const std::vector<Weight>& weights, bool is_factor) const {
  double sum = 0;
  for (const auto& [i, scale, unit] : weights) {
    const double error = std::clamp((run[i] - want_[i]) / scale, -kMostOfElement, kMostOfElement);
    sum += is_factor ? std::copysign(1, want_[i]) * error : error;
  }
  return sum / static_cast<double>(weights.size());
}

std::string CommonErrors::Fault() const {
  // The numbers of narrower formats stop at the largest one.
  if (BitWidth(type_) < 16) return {};
  const std::vector<Weight> weights = Weights();
  if (weights.size() < kLeastAveraged) return {};
  double units = 0;
  for (const Weight& weight : weights) units += weight.unit / static_cast<double>(weights.size());
  for (const bool is_factor : {true, false}) {
    const double got = MeanOf(got_, weights, is_factor);
    double nearest = std::fabs(got), widest = 0;
    for (const auto& [a, b] : pairs_) {
      const double of_a = MeanOf(a, weights, is_factor), of_b = MeanOf(b, weights, is_factor);
      nearest = std::min({nearest, std::fabs(got - of_a), std::fabs(got - of_b)});
      widest = std::max(widest, std::fabs(of_a - of_b));
    }
    for (const Numbers& run : of_uses_) widest = std::max(widest, std::fabs(MeanOf(run, weights, is_factor)));
    if (!(nearest > std::max(kTimesCommon * widest, units))) continue;
    return fmt::format(
        "the {} that {} elements have in common is {:.3g} off, in units of their own errors, {} samples {:.3g} at most",
        is_factor ? "factor" : "error", weights.size(), nearest, pairs_.size(), widest);
  }
  return {};
}

}  // namespace assay
