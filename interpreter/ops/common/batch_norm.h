// Rules of the three batch-norm ops. Every result is the specification's formula on the exact operands, rounded once:
// no statistic or other intermediate result is rounded. epsilon is the float that XLA stores.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// Checks that operand 0 is an array of floating numbers with the dimension feature_index, and that the listed operands
// are vectors with one number a feature.
Status CheckBatchNorm(const HloInstruction& instruction, std::initializer_list<std::int64_t> per_feature);
// Returns the shape (operand 0, one number a feature, one number a feature).
Shape BatchNormTuple(const HloInstruction& instruction);
// Implements Op::fit_run_time_sizes: all operands have the features of the first.
void EqualizeFeatures(HloInstruction& instruction);

// The positions of the elements of one feature in an array of dimensions [outer, features, inner].
struct FeatureElements {
  explicit FeatureElements(const HloInstruction& instruction);
  std::int64_t count() const { return outer * inner; }
  std::int64_t Offset(std::int64_t feature, std::int64_t i) const {
    return (i / inner * features + feature) * inner + i % inner;
  }
  std::vector<double> Of(const std::vector<double>& array, std::int64_t feature) const;

  std::int64_t outer = 1;
  std::int64_t features = 1;
  std::int64_t inner = 1;
};

}  // namespace assay
