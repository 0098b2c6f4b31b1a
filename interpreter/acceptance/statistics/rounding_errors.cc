#include "interpreter/acceptance/statistics/rounding_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_set>

#include "interpreter/acceptance/elements.h"
#include "interpreter/types/float_format.h"

namespace assay {
namespace {

constexpr double kLogOfChance = 20.7232658369464;  // ln 1e9
constexpr std::int64_t kNumbersLookedAt = 4096;

// Returns the bits of a number's significand, without the leading one of a normal number, in the upper end of a word.
std::uint64_t SignificandBits(double number) {
  constexpr int kOtherBits = 64 - (std::numeric_limits<double>::digits - 1);
  return std::bit_cast<std::uint64_t>(number) << kOtherBits;
}

// Returns a key, which is not 0: sums of the same terms, also scaled by a power of two, have the same errors. If other
// sums share a key by chance, one of their errors is left out, and the test stays valid.
std::uint64_t KeyOf(const RoundingErrors::Error& error) {
  constexpr std::uint64_t kOddFactor = 0x9e3779b97f4a7c15;  // spreads each bit over the bits above it
  const std::uint64_t key = SignificandBits(error.exact) * kOddFactor + SignificandBits(error.magnitude);
  return (key ^ key >> 32) * kOddFactor | 1;
}

// Returns the first error of each key. The keys are in a hash table with open addressing, in which 0 is a free place.
std::vector<RoundingErrors::Error> DifferentErrors(std::span<const RoundingErrors::Error> errors) {
  std::vector<RoundingErrors::Error> different;
  std::vector<std::uint64_t> keys(std::bit_ceil(2 * errors.size() + 2));
  for (const RoundingErrors::Error& error : errors) {
    const std::uint64_t key = KeyOf(error);
    std::size_t place = key >> (64 - std::bit_width(keys.size() - 1));
    while (keys[place] != 0 && keys[place] != key) place = (place + 1) % keys.size();
    if (keys[place] == key) continue;
    keys[place] = key;
    different.push_back(error);
  }
  return different;
}

}  // namespace

// Over the sums that differ.
struct RoundingErrors::Means {
  double count = 0;
  double bias = 0;    // of the shares
  double spread = 0;  // of their squares, times the roundings
};

RoundingErrors::Means RoundingErrors::MeansOf() const {
  Means means;
  for (const Error& error : DifferentErrors(errors_)) {
    means.bias += error.share;
    means.spread += error.share * error.share * error.roundings;
    ++means.count;
  }
  means.bias /= std::max(means.count, 1.0);
  means.spread /= std::max(means.count, 1.0);
  return means;
}

std::string RoundingErrors::Fault(std::span<const RoundingErrors> controls) const {
  const auto [count, bias, spread] = MeansOf();
  if (count < static_cast<double>(kLeastSums)) return {};
  double control_bias = 0, control_spread = 0;
  for (const RoundingErrors& control : controls) {
    const Means means = control.MeansOf();
    control_bias = std::max(control_bias, std::fabs(means.bias));
    control_spread = std::max(control_spread, means.spread);
  }
  const double most_bias = 2 * control_bias + std::sqrt(2 * (kLogOfChance + std::log(2.0)) / count);
  const double most_spread = 2 * control_spread + 1 + 2 * std::sqrt(kLogOfChance / count) + 2 * kLogOfChance / count;
  constexpr std::string_view kAssumption =
      "if roundings are to nearest and independent, at most {:.3g} is expected, with a probability of 1 - 1e-9; the "
      "same "
      "terms in a line have {:.3g}";
  if (std::fabs(bias) > most_bias) {
    return fmt::format("test of bias: the errors of {:.0f} sums are {:.3g} of {} in the mean; ", count, bias, unit_) +
           fmt::format(kAssumption, most_bias, control_bias);
  }
  if (spread > most_spread) {
    return fmt::format(
               "test of spread: the squared errors of {:.0f} sums are {:.3g} times those of as many roundings; ", count,
               spread) +
           fmt::format(kAssumption, most_spread, control_spread);
  }
  return {};
}

std::string SumErrors::Fault(std::span<const SumErrors> controls) const {
  std::vector<RoundingErrors> bounds, last_roundings;
  for (const SumErrors& control : controls) {
    bounds.push_back(control.of_bound);
    last_roundings.push_back(control.of_last_rounding);
  }
  std::string fault = of_bound.Fault(bounds);
  return fault.empty() ? of_last_rounding.Fault(last_roundings) : fault;
}

bool LookUnrelated(std::span<const Literal> operands) {
  return std::ranges::all_of(operands, [](const Literal& operand) {
    if (!operand.shape().IsArray() || !IsInexactType(operand.element_type())) return true;
    const std::int64_t components = operand.element_count() * ComponentCount(operand.element_type());
    std::unordered_set<std::uint64_t> patterns;
    std::int64_t numbers = 0;
    for (std::int64_t i = 0; i < std::min(components, kNumbersLookedAt); ++i) {
      const RealElement number = ComponentAt(operand, i);
      if (IsZero(number)) continue;
      ++numbers;
      patterns.insert(number.bits & FloatFormatOf(number.type).magnitude_mask());
    }
    if (numbers < static_cast<std::int64_t>(RoundingErrors::kLeastSums)) return true;
    // Narrow formats have few different numbers.
    const std::int64_t significands = std::int64_t{1}
                                      << FloatFormatOf(ComplexComponentType(operand.element_type())).mantissa_bits;
    return static_cast<std::int64_t>(patterns.size()) >= std::min(numbers, significands) / 2;
  });
}

double NumbersOf(std::span<const Literal> operands) {
  double numbers = 0;
  for (const Literal& operand : operands) {
    numbers += static_cast<double>(operand.element_count() * ComponentCount(operand.element_type()));
  }
  return numbers;
}

}  // namespace assay
