#include "interpreter/acceptance/statistics/samples/merged_sum.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "interpreter/acceptance/elements.h"

namespace assay {
namespace {

// Returns the largest error of `count` numbers that are added one by one, among the first rows of so many numbers. If
// the numbers are alike, all roundings of a while go in one direction.
template <class Number, class Exact>
double ErrorOfRows(std::span<const double> terms, double count) {
  constexpr std::size_t kRows = 16;
  const auto in_row = static_cast<std::size_t>(std::min(count, 0x1p40));
  terms = terms.first(std::min(terms.size(), kRows * in_row));
  double largest = 0;
  Number sum = 0;
  Exact exact = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i % in_row == 0) sum = 0, exact = 0;
    sum += static_cast<Number>(terms[i]);
    exact += terms[i];
    const auto error = static_cast<double>(std::fabs(static_cast<Exact>(sum) - exact));
    if (std::isfinite(error)) largest = std::max(largest, error);
  }
  return largest;
}

// Returns the largest partial sum of terms that are added in order, or in lanes: vectors of up to 64 numbers, which
// separate signs that alternate.
double LargestPartialSum(std::span<const double> terms, double count) {
  constexpr std::size_t kMostLanes = 64;
  const auto in_row = static_cast<std::size_t>(std::min(count, 0x1p40));
  double largest = 0;
  for (std::size_t lanes = 1; lanes <= kMostLanes; lanes *= 2) {
    std::vector<double> sums(lanes);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (i % in_row == 0) sums.assign(lanes, 0);
      const double sum = std::fabs(sums[i % lanes] += terms[i]);
      if (std::isfinite(sum)) largest = std::max(largest, sum);
    }
  }
  return largest;
}

}  // namespace

double ErrorOfMergedSum(PrimitiveType type, std::span<const double> terms, double count, double largest) {
  const double error =
      type == F64 ? ErrorOfRows<double, long double>(terms, count) : ErrorOfRows<float, double>(terms, count);
  const double walk = std::max(LargestPartialSum(terms, count), largest) * std::sqrt(count) / 4;
  return std::max(walk, error / (2 * UnitRoundoff(type)));
}

}  // namespace assay
