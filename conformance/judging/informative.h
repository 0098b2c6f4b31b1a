// How much outputs that agree say of a backend.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"

namespace assay {

// The distinct values, by their bits, of each array of a value that has more than one element, in the order of its
// shape; not counted any further than this.
constexpr std::int64_t kMostDistinctValues = 1000;
std::vector<std::int64_t> DistinctValues(const Literal& value);

// How many real numbers a value holds, both parts of complex ones counted, and how many of them are NaN.
struct RealNumbers {
  std::int64_t count = 0, nans = 0;
};
RealNumbers CountRealNumbers(const Literal& value);

// What makes outputs that agree say little: arrays of one distinct value, parameters that nothing comes from; empty
// where nothing does.
std::string LittleShown(const HloModule& module, std::span<const std::int64_t> distinct_values);

}  // namespace assay
