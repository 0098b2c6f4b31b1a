#include "conformance/judging/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/parts.h"

namespace assay {
namespace {

double OfNumbers(double want, double got) {
  if (want == got || (std::isnan(want) && std::isnan(got))) return 0;
  const double difference = std::abs(got - want) / std::abs(want);
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

double LargestOfNumbers(std::span<const double> want, std::span<const double> got) {
  double largest = 0;
  for (std::size_t i = 0; i < want.size(); ++i) largest = std::max(largest, OfNumbers(want[i], got[i]));
  return largest;
}

double MeanOfNumbers(std::span<const double> want, std::span<const double> got) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::isfinite(want[i]) != std::isfinite(got[i])) return std::numeric_limits<double>::infinity();
    if (!std::isfinite(want[i])) continue;
    difference += std::abs(got[i] - want[i]);
    size += std::abs(want[i]);
  }
  return difference == 0 ? 0 : difference / size;
}

// Returns the largest difference of two arrays, or of the arrays of a tuple.
double LargestOfArrays(const Literal& want, const Literal& got,
                       double (*difference)(std::span<const double> want, std::span<const double> got)) {
  double largest = 0;
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    largest = std::max(largest, LargestOfArrays(want.elements()[i], got.elements()[i], difference));
  }
  if (!want.shape().IsArray()) return largest;
  const std::vector<double> wanted = ElementsAsDoubles(want), gotten = ElementsAsDoubles(got);
  const std::size_t count = std::min(wanted.size(), gotten.size());
  return difference(std::span(wanted).first(count), std::span(gotten).first(count));
}

}  // namespace

std::vector<double> ElementsAsDoubles(const Literal& array) {
  const PrimitiveType type = array.element_type();
  if (IsInexactType(type)) return LoadParts(array);
  std::vector<std::uint64_t> integers(array.element_count());
  LoadIntegers(type, array.data(), integers.data(), array.element_count());
  std::vector<double> numbers(integers.size());
  std::ranges::transform(integers, numbers.begin(), [&](std::uint64_t bits) {
    return IsSignedIntegralType(type) ? static_cast<double>(static_cast<std::int64_t>(bits))
                                      : static_cast<double>(bits);
  });
  return numbers;
}

double RelativeDifference(const Literal& want, const Literal& got) {
  return LargestOfArrays(want, got, LargestOfNumbers);
}

double MeanDifference(const Literal& want, const Literal& got) { return LargestOfArrays(want, got, MeanOfNumbers); }

}  // namespace assay
