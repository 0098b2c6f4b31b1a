// Judges an array of random numbers as a whole, by the distribution that the instruction draws from.
#pragma once

#include <span>
#include <string>

#include "interpreter/acceptance/ops/op_acceptance.h"
#include "interpreter/types/literal.h"

namespace assay {

// The evidence against an array of random numbers. An empty `fault` means that every test passed.
struct DistributionReport {
  std::string fault;
  bool is_proof = false;  // a number that no draw gives; false: a test of the distribution fails
  double share = 0;       // the largest test statistic, as a share of its limit
};

// Tests whether `got` has the distribution with these two operands.
// - Range: uniform numbers are in [a, b). Normal ones are finite before rounding, so they are not NaN. A number that
//   breaks this is a proof.
// - Kolmogorov-Smirnov: bounds the distance between the empirical and the exact distribution function. Rounding to the
//   element type may shift each number by one unit in the last place.
// - Pearson's chi-square: for integers, in at most 256 buckets.
// - Repetition: the second half does not repeat the first one.
// The false-alarm probability of each test is below 2.5e-10, and that of an array below 1e-9. An empty range [a, b)
// leaves the values unspecified: the report is empty.
DistributionReport JudgeDistribution(Distribution distribution, std::span<const Literal> operands, const Literal& got);

}  // namespace assay
