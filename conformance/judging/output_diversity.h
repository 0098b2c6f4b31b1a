// Measures of how much evidence matching outputs are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// Returns the number of distinct bit patterns of each array with more than one element, in the order of the value's
// shape. The count ends at kMostDistinctValues.
constexpr std::int64_t kMostDistinctValues = 1000;
std::vector<std::int64_t> DistinctValues(const Literal& value);

// The number of real numbers in a value and how many of them are NaN. A complex number counts as two.
struct RealNumbers {
  std::int64_t count = 0, nans = 0;
};
RealNumbers CountRealNumbers(const Literal& value);

// Explains why matching outputs are weak evidence: arrays with one distinct value, or parameters that do not affect the
// result. Returns an empty text if they are not.
std::string WeakEvidence(const HloModule& module, std::span<const std::int64_t> distinct_values);

}  // namespace assay
