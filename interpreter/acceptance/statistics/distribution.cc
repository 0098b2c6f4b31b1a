#include "interpreter/acceptance/statistics/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "interpreter/acceptance/elements.h"

namespace assay {
namespace {

// sqrt(n) D exceeds this with probability 2 exp(-2 x^2) = 2.5e-10 (Massart 1990: for every n).
constexpr double kKolmogorovLimit = 3.376;
// The upper quantile of the normal distribution for 2.5e-10.
constexpr double kNormalQuantile = 6.218;
// The number of buckets of the chi-square test, and the expected count per bucket that its approximation requires.
constexpr std::uint64_t kMostBuckets = 256;
constexpr double kLeastExpected = 10;

bool IsFloat(const Literal& literal) { return IsFloatingPointType(literal.element_type()); }

std::vector<double> AllNumbers(const Literal& got) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < got.element_count(); ++i) {
    numbers.push_back(IsFloat(got) ? RealValue(ComponentAt(got, i)) : static_cast<double>(got.IntegerAt(i)));
  }
  return numbers;
}

// Returns the distance of the empirical distribution function from F. A number may represent any real one within a unit
// in the last place.
template <class Function>
double KolmogorovDistance(const std::vector<double>& sorted, PrimitiveType type, const Function& distribution) {
  const auto n = static_cast<double>(sorted.size());
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t next = i;
    while (next < sorted.size() && sorted[next] == sorted[i]) ++next;
    const double unit = UnitInTheLastPlace(type, sorted[i]);
    distance = std::max(distance, static_cast<double>(next) / n - distribution(sorted[i] + unit));
    distance = std::max(distance, distribution(sorted[i] - unit) - static_cast<double>(i) / n);
    i = next;
  }
  return distance;
}

void Judge(DistributionReport& report, double share, std::string_view test, double count) {
  report.share = std::max(report.share, share);
  if (share <= 1 || !report.fault.empty()) return;
  report.fault = fmt::format(
      "{}: the statistic of {:.0f} numbers is {:.3g} times its limit; independent numbers of the distribution exceed "
      "it with a probability below 2.5e-10",
      test, count, share);
}

DistributionReport Impossible(std::string fault) { return {std::move(fault), true, INFINITY}; }

// Tests whether the second half repeats the first one. The pairs of equal numbers within the first half bound the
// probability that two numbers are equal; as many more are added as that count may miss.
void TestRepetition(DistributionReport& report, std::span<const double> numbers) {
  constexpr std::size_t kLeast = 32;
  constexpr double kMissed = 25, kSlack = 15;
  const std::size_t half = numbers.size() / 2;
  if (half < kLeast) return;
  double equal = 0, pairs = 0;
  for (std::size_t i = 0; i < half; ++i) equal += numbers[i] == numbers[numbers.size() - half + i] ? 1 : 0;
  std::vector<double> sorted(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(half));
  std::ranges::sort(sorted);
  for (std::size_t i = 0, first = 0; i < half; ++i) {
    if (sorted[i] != sorted[first]) first = i;
    pairs += static_cast<double>(i - first);
  }
  const auto count = static_cast<double>(half);
  const double mean = count * (pairs + kMissed) / (count * (count - 1) / 2);
  Judge(report, equal / (mean + kNormalQuantile * std::sqrt(mean) + kSlack), "test of repetition", count);
}

template <class Function>
void TestKolmogorov(DistributionReport& report, const std::vector<double>& sorted, PrimitiveType type,
                    const Function& distribution) {
  if (sorted.empty()) return;
  const double distance = KolmogorovDistance(sorted, type, distribution);
  Judge(report, distance * std::sqrt(static_cast<double>(sorted.size())) / kKolmogorovLimit,
        "test of Kolmogorov and Smirnov", static_cast<double>(sorted.size()));
}

DistributionReport JudgeUniformFloats(const std::vector<double>& sorted, PrimitiveType type, double a, double b) {
  DistributionReport report;
  if (sorted.front() < a || sorted.back() >= b) {
    return Impossible(
        fmt::format("a number outside [{}, {}): {}", a, b, sorted.front() < a ? sorted.front() : sorted.back()));
  }
  TestKolmogorov(report, sorted, type, [&](double x) { return std::clamp((x - a) / (b - a), 0.0, 1.0); });
  return report;
}

DistributionReport JudgeUniformIntegers(const Literal& got, const Literal& a, const Literal& b) {
  DistributionReport report;
  const auto low = static_cast<std::uint64_t>(a.IntegerAt(0));
  const std::uint64_t range = static_cast<std::uint64_t>(b.IntegerAt(0)) - low;
  const std::uint64_t buckets = std::min(range, kMostBuckets);
  const auto n = static_cast<double>(got.element_count());
  // Bucket k holds the places p with p * buckets / range == k, in extended precision.
  const auto bucket_of = [&](std::uint64_t place) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(place) * buckets / range);
  };
  std::vector<double> counts(buckets), expected(buckets);
  for (std::int64_t i = 0; i < got.element_count(); ++i) {
    const std::uint64_t place = static_cast<std::uint64_t>(got.IntegerAt(i)) - low;
    if (place >= range) {
      return Impossible(fmt::format("a number outside the range: {}", DescribeElement(got, i)));
    }
    ++counts[bucket_of(place)];
  }
  double chi_square = 0;
  for (std::uint64_t k = 0; k < buckets; ++k) {
    // The least place of bucket k is the quotient of k * range by buckets, rounded up.
    const auto first = [&](std::uint64_t bucket) {
      return static_cast<double>((static_cast<unsigned __int128>(bucket) * range + buckets - 1) / buckets);
    };
    expected[k] = n * (first(k + 1) - first(k)) / static_cast<double>(range);
    if (expected[k] < kLeastExpected) return report;
    chi_square += (counts[k] - expected[k]) * (counts[k] - expected[k]) / expected[k];
  }
  if (buckets < 2) return report;
  // Wilson and Hilferty (1931): the cube root of chi-square over its degrees of freedom is nearly normal.
  const double freedom = static_cast<double>(buckets - 1), spread = 2 / (9 * freedom);
  const double z = (std::cbrt(chi_square / freedom) - (1 - spread)) / std::sqrt(spread);
  Judge(report, z / kNormalQuantile, "Pearson's chi-square test", n);
  return report;
}

DistributionReport JudgeNormal(const std::vector<double>& sorted, PrimitiveType type, double mu, double sigma) {
  DistributionReport report;
  if (!(sigma > 0)) return report;
  TestKolmogorov(report, sorted, type, [&](double x) { return std::erfc((mu - x) / (sigma * std::sqrt(2.0))) / 2; });
  return report;
}

}  // namespace

DistributionReport JudgeDistribution(Distribution distribution, std::span<const Literal> operands, const Literal& got) {
  if (got.element_count() == 0) return {};
  const bool is_normal = distribution == Distribution::kNormal;
  if (!IsFloat(got)) {
    const std::int64_t a = operands[0].IntegerAt(0), b = operands[1].IntegerAt(0);
    const bool is_signed = IsSignedIntegralType(got.element_type());
    const bool is_empty = is_signed ? b <= a : static_cast<std::uint64_t>(b) <= static_cast<std::uint64_t>(a);
    if (is_empty) return {};
    DistributionReport report = JudgeUniformIntegers(got, operands[0], operands[1]);
    TestRepetition(report, AllNumbers(got));
    return report;
  }
  const double first = RealValue(ComponentAt(operands[0], 0)), second = RealValue(ComponentAt(operands[1], 0));
  if (!std::isfinite(first) || !std::isfinite(second) || (!is_normal && second <= first)) return {};
  for (std::int64_t i = 0; i < got.element_count(); ++i) {
    if (IsNan(ComponentAt(got, i))) return Impossible("a NaN among the numbers");
  }
  const std::vector<double> numbers = AllNumbers(got);
  std::vector<double> sorted = numbers;
  std::ranges::sort(sorted);
  DistributionReport report = is_normal ? JudgeNormal(sorted, got.element_type(), first, second)
                                        : JudgeUniformFloats(sorted, got.element_type(), first, second);
  if (!is_normal || second > 0) TestRepetition(report, numbers);
  return report;
}

}  // namespace assay
