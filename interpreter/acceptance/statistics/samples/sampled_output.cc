#include "interpreter/acceptance/statistics/samples/sampled_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interpreter/acceptance/elements.h"
#include "interpreter/acceptance/ops/value_set.h"
#include "interpreter/acceptance/statistics/disturbance.h"
#include "interpreter/acceptance/statistics/samples/decided_values.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Samples draw from the whole allowed range, but do not reach its worst combination. A result this many times farther
// than two samples from each other is far from all of them.
constexpr double kFarther = 32;
// The same for the widest distance of two samples among numbers that are at most kSameSize times as large.
constexpr double kFartherThanAll = 8;
constexpr double kSameSize = 1024;
// The same for half of the elements of an array together, of at least so many: one element may have more than its
// share of an error, most of them have not.
constexpr double kFartherTogether = 6;
constexpr std::size_t kManyElements = 32;
// The elements of an array whose statistics are compared.
constexpr std::int64_t kMostElements = 4096;
// Runs decide so few elements in every combination, but for one program in a thousand.
constexpr int kFewDecisions = 2;
// The error of the largest number of a factor, in units of its last place, that counts as one share.
constexpr double kUlpsOfFactor = 8;

double DistanceOf(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double distance = std::fabs(a - b);
  return std::isnan(distance) ? INFINITY : distance;
}

bool IsInfinite(const Literal& array, std::size_t component) {
  return IsInexactType(array.element_type()) && std::isinf(NumberAt(array, static_cast<std::int64_t>(component)));
}

// Returns at most kMostElements numbers of an array, evenly spread.
std::vector<double> SomeNumbers(const Literal& array) {
  const std::int64_t count = std::min(array.element_count(), kMostElements);
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(NumberAt(array, i * array.element_count() / count));
  return numbers;
}

}  // namespace

SampledOutput::SampledOutput(std::size_t number, OutputPath path, const Literal& want, const Literal& got)
    : number_(number), path_(std::move(path)), want_(&want), got_(&got) {
  const PrimitiveType type = want.element_type();
  is_real_ = IsInexactType(type);
  nearest_.assign(want.element_count() * ComponentCount(type), INFINITY);
  spread_.assign(nearest_.size(), 0);
  reach_.assign(nearest_.size(), 0);
  if (is_real_) common_.emplace(want, got);
  See(want, want);
  runs_ = 0;
}

void SampledOutput::See(const Literal& a, const Literal& b) {
  ++runs_;
  if (!is_real_) {
    for (std::size_t i = 0; i < nearest_.size(); ++i) {
      if (nearest_[i] != 0) nearest_[i] = std::min({nearest_[i], Distance(*got_, a, i), Distance(*got_, b, i)});
    }
    return;
  }
  common_->See(a, b);
  const std::vector<double> want = NumbersIn(*want_), got = NumbersIn(*got_), x = NumbersIn(a), y = NumbersIn(b);
  for (std::size_t i = 0; i < nearest_.size(); ++i) {
    nearest_[i] = std::min({nearest_[i], DistanceOf(got[i], x[i]), DistanceOf(got[i], y[i])});
    spread_[i] = std::max(spread_[i], DistanceOf(x[i], y[i]));
    reach_[i] = std::max({reach_[i], DistanceOf(want[i], x[i]), DistanceOf(want[i], y[i])});
  }
}

void SampledOutput::SeeDecision(const Literal& a, const Literal& b, int times) {
  decisions_.resize(nearest_.size());
  for (std::size_t i = 0; i < decisions_.size(); ++i) decisions_[i] += Distance(a, b, i) == 0 ? 0 : times;
}

void SampledOutput::SeeSums(const Literal& run, bool is_noisy) {
  if (!is_real_ || IsComplexType(run.element_type())) return;
  if (!sums_) sums_.emplace(run.element_type(), SomeNumbers(*want_));
  sums_->Add(SomeNumbers(run), is_noisy);
}

void SampledOutput::SeeUses(const Literal& run) {
  if (common_) common_->SeeUses(run);
}

std::optional<std::size_t> SampledOutput::Unexplained() const {
  std::optional<std::size_t> worst;
  for (std::size_t i = 0; i < nearest_.size(); ++i) {
    if (!IsNear(i) && (!worst || nearest_[i] > nearest_[*worst])) worst = i;
  }
  return worst;
}

std::optional<std::size_t> SampledOutput::Far(LeastErrors least, Errors errors, double times) const {
  if (errors == Errors::kDecisions && !is_real_ && decisions_.empty()) return std::nullopt;
  std::vector<double> of_spread, of_reach;
  const auto widest_of_size = [&](const std::vector<double>& shown, std::vector<double>& widest, std::size_t i) {
    if (widest.empty()) widest = WidestOfSize(shown);
    return widest[i];
  };
  std::optional<std::size_t> worst, worst_together;
  std::size_t together = 0;
  const auto take = [&](std::size_t i, double allowed, std::optional<std::size_t>& farthest) {
    const bool is_far = nearest_[i] > times * std::max({allowed, least.of_uses, LeastError(i, least)});
    if (is_far && (!farthest || nearest_[i] > nearest_[*farthest])) farthest = i;
    return is_far;
  };
  for (std::size_t i = 0; i < nearest_.size(); ++i) {
    if (!std::isfinite(spread_[i])) continue;              // a sample overflows, or divides by a sum that cancels
    if (IsInfinite(*want_, i) && reach_[i] > 0) continue;  // a sample does not overflow
    const bool is_infinite = is_real_ && nearest_[i] == INFINITY;
    const bool says_nothing = least.assumes_finite || least.nearly_overflows || times > 1;
    if (is_infinite && (says_nothing || MayOverflow(i))) continue;
    const bool is_by_rounding = errors == Errors::kRoundings || (!decisions_.empty() && decisions_[i] <= kFewDecisions);
    if (!is_by_rounding && !is_real_) continue;
    const double shown = is_by_rounding ? spread_[i] : reach_[i];
    // Most elements are nearer than their own errors allow, which are no larger than the widest of their size.
    if (std::isfinite(shown) && !(nearest_[i] > times * kFartherTogether * shown)) continue;
    double least_allowed = spread_[i] == 0 && is_real_ ? least.unit : 0;
    // No element that is decided otherwise changes this one, but two may: a product of two that are zero.
    const bool may_depend_on_several = errors == Errors::kDecisions && is_by_rounding && decisions_[i] == 0;
    if (may_depend_on_several) least_allowed = std::max(least_allowed, reach_[i]);
    const bool is_far_by_own = take(i, std::max(kFartherTogether * shown, least_allowed), worst_together);
    together += is_far_by_own ? 1 : 0;
    if (!is_far_by_own && std::isfinite(shown)) continue;
    const double widest = is_by_rounding ? widest_of_size(spread_, of_spread, i) : widest_of_size(reach_, of_reach, i);
    take(i, std::max(kFartherThanAll * widest, least_allowed), worst);
  }
  if (!worst && is_real_ && together >= kManyElements && 2 * together >= nearest_.size()) return worst_together;
  return worst;
}

void SampledOutput::SeeLargerErrors(const Literal& run) {
  by_larger_errors_.resize(nearest_.size());
  for (std::size_t i = 0; i < nearest_.size(); ++i) {
    by_larger_errors_[i] = std::max(by_larger_errors_[i], Distance(*want_, run, i));
  }
}

std::optional<std::size_t> SampledOutput::FarByItself(LeastErrors least) const {
  std::optional<std::size_t> worst;
  for (std::size_t i = 0; i < by_larger_errors_.size(); ++i) {
    if (IsNear(i) || !std::isfinite(nearest_[i]) || !std::isfinite(by_larger_errors_[i])) continue;
    if (!decisions_.empty() && decisions_[i] != 0) continue;
    const double of_unit = by_larger_errors_[i] == 0 ? least.unit : 0;
    const double of_several = decisions_.empty() ? 0 : reach_[i];  // decided otherwise together
    const bool is_far = nearest_[i] > std::max({by_larger_errors_[i], of_unit, of_several, LeastError(i, least)});
    if (is_far && (!worst || nearest_[i] > nearest_[*worst])) worst = i;
  }
  return worst;
}

bool SampledOutput::IsAmongSamples() const {
  for (std::size_t i = 0; i < nearest_.size(); ++i) {
    if (!(nearest_[i] <= std::max(FiniteSpread(i), LastPlace(i)))) return false;
  }
  return true;
}

bool SampledOutput::HasJumps() const {
  const double jump = LargestMagnitude(*want_) / 8;
  for (std::size_t i = 0; i < spread_.size(); ++i) {
    if (spread_[i] > jump && Distance(*want_, *got_, i) > LastPlace(i)) return true;
  }
  return false;
}

std::string SampledOutput::FaultOfSums() const {
  return sums_ ? sums_->Fault(SomeNumbers(*got_), LawfulSamples::Errors::kDependent) : std::string();
}

std::string SampledOutput::Describe(std::size_t component) const {
  const std::string off = nearest_[component] < INFINITY ? fmt::format("is {:.3g} off", nearest_[component])
                                                         : fmt::format("has an element that no sample gives");
  return fmt::format("output {} {}, {} samples with legal errors in every instruction {:.3g} at most", number_, off,
                     runs_, spread_[component]);
}

double SampledOutput::Distance(const Literal& a, const Literal& b, std::size_t component) const {
  const auto at = static_cast<std::int64_t>(component);
  if (is_real_) return DistanceOf(NumberAt(a, at), NumberAt(b, at));
  return SameElement(a, b, at) ? 0 : INFINITY;
}

// An error of one unit in the last place may come from the last rounding alone; a few below the normal numbers, where
// relative errors vanish.
double SampledOutput::LastPlace(std::size_t component) const {
  if (!is_real_) return 0;
  const RealElement element = ComponentAt(*got_, static_cast<std::int64_t>(component));
  const double value = RealValue(element), least = kFarther * SmallestSubnormal(element.type);
  return std::isfinite(value) ? std::max(UnitInTheLastPlace(element.type, value), least) : 0;
}

// Below the normal numbers relative errors vanish, and some products of a sum may be flushed. A narrow format has
// hardly any number above them.
double SampledOutput::LeastError(std::size_t component, const LeastErrors& least) const {
  const PrimitiveType type = is_real_ ? ComplexComponentType(want_->element_type()) : F32;
  const int width = is_real_ ? BitWidth(type) : 0;
  const double subnormal = width >= 16 ? (width >= 32 ? kFartherThanAll : 1) * LeastNormal(type) : 0;
  return std::max({least.of_flushing, subnormal, LastPlace(component)});
}

double SampledOutput::FiniteSpread(std::size_t component) const {
  return std::isfinite(spread_[component]) ? spread_[component] : 0;
}

// True if the largest number of the reference and the samples overflows, or one several times as large, for a quotient
// next to its pole, and for formats without zero, where a number that underflows is NaN.
bool SampledOutput::MayOverflow(std::size_t component) const {
  const RealElement want = ComponentAt(*want_, static_cast<std::int64_t>(component));
  const double largest = std::fabs(RealValue(want)) + reach_[component];
  const bool is_near_pole = spread_[component] > kFarther * std::fabs(RealValue(want));
  return is_near_pole || !FloatFormatOf(want.type).has_zero || !(largest <= LargestFinite(want.type) / kFarther);
}

bool SampledOutput::IsNear(std::size_t component) const {
  const double nearest = nearest_[component];
  return nearest == 0 || nearest <= std::max(kFarther * FiniteSpread(component), LastPlace(component));
}

// Returns for each component the largest error of those that are not much larger.
std::vector<double> SampledOutput::WidestOfSize(const std::vector<double>& errors) const {
  if (!is_real_) return errors;
  const auto size_of_part = [&](std::size_t i) {
    const double want = std::fabs(NumberAt(*want_, static_cast<std::int64_t>(i))),
                 got = std::fabs(NumberAt(*got_, static_cast<std::int64_t>(i)));
    return std::isfinite(got) ? std::max(want, got) : want;
  };
  // A part of a complex number has the errors of the larger part.
  const std::size_t part = IsComplexType(want_->element_type()) ? 1 : 0;
  const auto size_of = [&](std::size_t i) { return std::max(size_of_part(i), size_of_part(i ^ part)); };
  std::vector<std::size_t> by_size(errors.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::vector<double> sizes(errors.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::isnan(size_of(i)) ? INFINITY : size_of(i);
  std::ranges::sort(by_size, {}, [&](std::size_t i) { return sizes[i]; });
  std::vector<double> result(errors.size());
  double widest = 0;
  std::size_t next = 0;
  for (const std::size_t i : by_size) {
    for (; next < by_size.size() && sizes[by_size[next]] <= kSameSize * sizes[i]; ++next) {
      const double error = errors[by_size[next]];
      if (std::isfinite(error)) widest = std::max(widest, error);
    }
    result[i] = widest;
  }
  return result;
}

void FindDiffering(const Literal& want, const Literal& got, OutputPath& path, std::size_t& number,
                   std::vector<SampledOutput>& outputs) {
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    path.push_back(i);
    FindDiffering(want.elements()[i], got.elements()[i], path, number, outputs);
    path.pop_back();
  }
  if (!want.shape().IsArray()) return;
  if (!want.BitwiseEqual(got)) outputs.emplace_back(number, path, want, got);
  ++number;
}

double ShareOfMagnitudes(const Literal& want, const Literal& got) {
  if (!IsRealArray(want)) return 0;
  const int parts = ComponentCount(want.element_type());
  const double unit = 2 * UnitRoundoff(ComplexComponentType(want.element_type()));
  const std::vector<double> wanted = NumbersIn(want), found = NumbersIn(got);
  double farthest = 0;
  for (std::size_t i = 0; i < wanted.size(); i += parts) {
    const auto size = [&](const std::vector<double>& numbers) {
      return parts == 1 ? std::fabs(numbers[i]) : std::hypot(numbers[i], numbers[i + 1]);
    };
    const double distance = std::fabs(size(wanted) - size(found));
    if (std::isfinite(size(wanted))) farthest = std::max(farthest, std::isnan(distance) ? INFINITY : distance);
  }
  const double bound = kUlpsOfFactor * unit * LargestMagnitude(want);
  return farthest == 0 ? 0 : farthest / std::max(bound, LeastNormal(ComplexComponentType(want.element_type())));
}

const Literal& PartAt(const Literal& value, const OutputPath& path) {
  const Literal* part = &value;
  for (const std::size_t i : path) part = &part->elements()[i];
  return *part;
}

}  // namespace assay
