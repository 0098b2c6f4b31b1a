#include "interpreter/acceptance/statistics/sums/lawful_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpreter/acceptance/elements.h"

namespace assay {
namespace {

// The range of twelve normal numbers is below r standard deviations with a density of at most 1.55e-3 r^10. Another one
// is therefore farther than 6 ranges from their middle with a probability of 1.2e-9.
constexpr double kRanges = 6;
// A normal number is farther than this many standard deviations from its mean with a probability of 1e-9. This includes
// a tenth more for deviations that are estimated from kLeastElements elements and twelve samples.
constexpr double kDeviations = 6.7;
// The share of the samples' hull by which another algorithm may be outside of it. Terms that are equal, or nearly so,
// are rounded in one direction: then shuffling them shows no noise, and algorithms differ by much.
constexpr double kShareOfHull = 0.25;
// The same for one element, as a share of the samples' distance from the exact sum on one side. XLA:GPU added sorted
// terms of a scatter in bf16 by atomic operations: a result was 0.65 of that distance beyond the samples.
constexpr double kShareOfSide = 1;
// The difference from the samples, in units of the last place, that a lawful result may have by chance.
constexpr double kUnits = 2;

using Samples = std::vector<std::vector<double>>;

// Returns the minimum and the maximum of f over the samples; two NaN if one of the values is NaN.
template <class F>
std::pair<double, double> RangeOf(const Samples& samples, const F& f) {
  double low = INFINITY, high = -INFINITY;
  for (const std::vector<double>& sample : samples) {
    const double x = f(sample);
    low = std::isnan(x) ? NAN : std::min(low, x);
    high = std::isnan(x) ? NAN : std::max(high, x);
    if (std::isnan(low)) break;
  }
  return {low, high};
}

}  // namespace

struct LawfulSamples::Statistic {
  std::string_view name;
  double (*of)(double x, double exact, double scale);
  bool has_lower_end = true;
};

const LawfulSamples::Statistic LawfulSamples::kStatistics[] = {
    {"factor", [](double x, double exact,
                  double scale) { return std::copysign(1.0, exact) * std::clamp((x - exact) / scale, -1.0, 1.0); }},
    {"bias", [](double x, double exact, double scale) { return std::clamp((x - exact) / scale, -1.0, 1.0); }},
    {"distance", [](double x, double exact, double scale) { return std::min(std::fabs(x - exact) / scale, 1.0); },
     /*has_lower_end=*/false},
    // A sum that is zero may have no errors where samples have some: terms that are zeros.
    {"size",
     [](double x, double exact, double scale) { return exact == 0 ? 0.0 : std::min(std::fabs(x) / scale, 2.0); }},
};

void LawfulSamples::Add(std::vector<double> sample, bool is_noisy) {
  if (is_noisy) noisy_.push_back(sample);
  samples_.push_back(std::move(sample));
}

Reals LawfulSamples::ElementHull(std::size_t element, double reach) const {
  const auto at = [=](const std::vector<double>& sample) { return sample[element]; };
  const auto [low, high] = RangeOf(samples_, at);
  const auto [noise_low, noise_high] = RangeOf(noisy_, at);
  if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(exact_[element])) return {};
  const double lost = lost_.empty() ? 0 : lost_[element];
  const double least = std::min(low, exact_[element]), largest = std::max(high, exact_[element]);
  const double noise = kRanges * (noise_high - noise_low), others = 4 * Units() * reach + lost;
  return {least - std::max(noise, kShareOfSide * (exact_[element] - least)) - others,
          largest + std::max(noise, kShareOfSide * (largest - exact_[element])) + others, false};
}

Reals LawfulSamples::SampledHull(std::size_t element) const {
  const auto [low, high] = RangeOf(samples_, [=](const std::vector<double>& sample) { return sample[element]; });
  return {std::min(low, exact_[element]), std::max(high, exact_[element]), false};
}

double LawfulSamples::HalfWidthsOff(std::size_t element, double reach, double value) const {
  const Reals hull = SampledHull(element);
  const double half = (hull.high - hull.low) / 2, middle = hull.low + half;
  if (!std::isfinite(half) || !std::isfinite(value)) return 0;
  const double lost = lost_.empty() ? 0 : lost_[element];
  return std::max(0.0, std::fabs(value - middle) - lost) / std::max(half, Units() * reach);
}

bool LawfulSamples::HasValue(std::size_t element, double value) const {
  return value == exact_[element] ||
         std::ranges::any_of(samples_, [=](const std::vector<double>& sample) { return sample[element] == value; });
}

std::vector<LawfulSamples::Element> LawfulSamples::UsableElements(std::span<const double> got) const {
  std::vector<Element> usable;
  for (std::size_t i = 0; i < exact_.size(); ++i) {
    const auto [low, high] = RangeOf(samples_, [=](const std::vector<double>& sample) { return sample[i]; });
    const double scale = std::fabs(exact_[i]) + (high - low) / 2;
    if (std::isfinite(scale) && scale > 0 && std::isfinite(got[i])) usable.push_back({i, scale});
  }
  return usable;
}

double LawfulSamples::MeanOf(const Statistic& statistic, std::span<const double> x,
                             const std::vector<Element>& elements) const {
  double sum = 0;
  for (const Element& element : elements) sum += statistic.of(x[element.at], exact_[element.at], element.scale);
  return sum / static_cast<double>(elements.size());
}

double LawfulSamples::NoiseOf(const Statistic& statistic, const std::vector<Element>& elements, Errors errors) const {
  if (errors == Errors::kDependent) {
    const auto [low, high] =
        RangeOf(noisy_, [&](const std::vector<double>& sample) { return MeanOf(statistic, sample, elements); });
    return kRanges * (high - low) + Units();
  }
  double variance = 0;
  const auto count = static_cast<double>(noisy_.size());
  for (const auto& [at, scale] : elements) {
    double sum = 0, squares = 0;
    for (const std::vector<double>& sample : noisy_) {
      const double x = statistic.of(sample[at], exact_[at], scale);
      sum += x;
      squares += x * x;
    }
    variance += std::max(0.0, (squares - sum * sum / count) / (count - 1));
  }
  const auto size = static_cast<double>(elements.size());
  return kDeviations * std::sqrt(variance) / size + Units() / std::sqrt(size);
}

double LawfulSamples::LossOf(const std::vector<Element>& elements) const {
  if (lost_.empty()) return 0;
  double sum = 0;
  for (const Element& element : elements) sum += lost_[element.at] / element.scale;
  return sum / static_cast<double>(elements.size());
}

double LawfulSamples::Units() const { return 2 * kUnits * UnitRoundoff(type_); }

std::string LawfulSamples::Fault(std::span<const double> got, Errors errors) const {
  const std::vector<Element> elements = UsableElements(got);
  if (elements.size() < kLeastElements) return {};
  for (const Statistic& statistic : kStatistics) {
    const double mean = MeanOf(statistic, got, elements);
    const auto [low, high] =
        RangeOf(samples_, [&](const std::vector<double>& sample) { return MeanOf(statistic, sample, elements); });
    const double noise = NoiseOf(statistic, elements, errors) + LossOf(elements);
    const double slack = std::max(noise, kShareOfHull * (high - low));
    if ((mean >= low - slack || !statistic.has_lower_end) && mean <= high + slack) continue;
    return fmt::format(
        "unlike lawful results: the {} of {} elements is {:.3g} in the mean, that of {} algorithms of summation "
        "between {:.3g} and {:.3g}, give or take {:.2g}; if their errors are nearly normal, another lawful result is "
        "as "
        "far with a probability below 1e-9",
        statistic.name, elements.size(), mean, samples_.size(), low, high, slack);
  }
  return {};
}

}  // namespace assay
