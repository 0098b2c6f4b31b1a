#include "conformance/judging/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/parts.h"

namespace assay {
namespace {

double OfNumbers(double want, double got) {
  if (want == got || (std::isnan(want) && std::isnan(got))) return 0;
  const double difference = std::abs(got - want) / std::abs(want);
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
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
  double largest = 0;
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    largest = std::max(largest, RelativeDifference(want.elements()[i], got.elements()[i]));
  }
  if (!want.shape().IsArray()) return largest;
  const std::vector<double> wanted = ElementsAsDoubles(want), gotten = ElementsAsDoubles(got);
  for (std::size_t i = 0; i < std::min(wanted.size(), gotten.size()); ++i) {
    largest = std::max(largest, OfNumbers(wanted[i], gotten[i]));
  }
  return largest;
}

double MeanDifference(const Literal& want, const Literal& got) {
  double largest = 0;
  for (std::size_t i = 0; i < want.elements().size(); ++i) {
    largest = std::max(largest, MeanDifference(want.elements()[i], got.elements()[i]));
  }
  if (!want.shape().IsArray()) return largest;
  const std::vector<double> wanted = ElementsAsDoubles(want), gotten = ElementsAsDoubles(got);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < std::min(wanted.size(), gotten.size()); ++i) {
    if (std::isfinite(wanted[i]) != std::isfinite(gotten[i])) return std::numeric_limits<double>::infinity();
    if (!std::isfinite(wanted[i])) continue;
    difference += std::abs(gotten[i] - wanted[i]);
    size += std::abs(wanted[i]);
  }
  return difference == 0 ? 0 : difference / size;
}

}  // namespace assay
