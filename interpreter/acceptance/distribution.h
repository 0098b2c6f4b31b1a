// Random numbers judged as a whole: by the distribution that they were asked from.
#pragma once

#include <span>
#include <string>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/types/literal.h"

namespace assay {

// What is wrong with an array of random numbers; empty: nothing that could be told.
struct DistributionReport {
  std::string fault;
  double share = 0;  // of what the tests allow, the largest
};

// `got` as numbers of the distribution with these two operands. Range: uniform numbers are in [a, b), normal ones
// finite (after rounding: not NaN). Kolmogorov and Smirnov: the distance between the empirical and the exact
// distribution function, which the rounding to the element type may shift by one unit in the last place. Pearson's
// chi-square for integers of a small range. Each test's false alarms have a chance below 2.5e-10, so that those of one
// array stay under 1e-9. An empty range [a, b) leaves the values open: nothing is said of them.
DistributionReport JudgeDistribution(Distribution distribution, std::span<const Literal> operands, const Literal& got);

}  // namespace assay
