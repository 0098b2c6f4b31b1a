// The arithmetic of a backend's sum: the width of its accumulators, how they round, and which products they round.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conformance/orders/sum_probe.h"
#include "conformance/orders/summation_tree.h"
#include "interpreter/types/result.h"

namespace assay {

enum class SumRounding { kNearest, kTowardZero };

// The result of one addition of the tree, before the next one uses it.
struct PartialSum {
  int precision = 53;  // bits of the significand, the leading one included; at most 53
  SumRounding rounding = SumRounding::kNearest;
  // A sum of several nodes at once that aligns them to the largest one, as matrix units do: the part of each below
  // 2^-aligned_bits of the largest power of two is cut off. 0: nothing is lost.
  int aligned_bits = 0;
};

struct SumArithmetic {
  int operand_precision = 0;       // bits of a term that the sum uses
  std::vector<PartialSum> sums;    // of each sum of the tree; the root's are those of the widest other sum
  std::vector<bool> is_fused;      // of each term: its product with the factor is not rounded before it is added
  bool fusion_is_visible = false;  // the factor's products need more bits than an accumulator has

  // Returns the value of the tree on terms and a factor, rounded to the format of the result.
  double Evaluate(const SummationTree& tree, const std::vector<double>& terms, double factor,
                  const FloatFormat& result) const;
  // Returns "accumulators of 24 bits, rounded to nearest; ...".
  std::string ToString(const FloatFormat& terms) const;
  nlohmann::json ToJson() const;
};

// Measures the arithmetic of a sum whose order is known: sums of 1, -1 and one small number, or of products that need
// twice the bits. Fails with the backend's error.
Result<SumArithmetic> MeasureArithmetic(SumProbe& probe, const SummationTree& tree);

// The number of random sums on which a backend returns the bits of its tree and arithmetic.
struct OrderTrials {
  std::int64_t trials = 0;
  std::int64_t equal = 0;
};
Result<OrderTrials> TryOrder(SumProbe& probe, const SummationTree& tree, const SumArithmetic& arithmetic,
                             std::int64_t trials, std::uint64_t seed);

}  // namespace assay
