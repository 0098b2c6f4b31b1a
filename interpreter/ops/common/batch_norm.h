// What the three batch-norm ops share. Every result is the specification's formula on the exact operands, rounded once:
// neither the statistics nor anything else on the way is rounded before. epsilon is the float that XLA keeps.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/numerics/enclosed.h"
#include "interpreter/types/literal.h"
#include "interpreter/types/result.h"

namespace assay {

// Operand 0 is an array of floating numbers with the dimension feature_index; the listed operands are vectors with one
// number a feature.
Status CheckBatchNorm(const HloInstruction& instruction, std::initializer_list<std::int64_t> per_feature);
// (operand 0, one number a feature, one number a feature)
Shape BatchNormTuple(const HloInstruction& instruction);
// For Op::fit_run_time_sizes: all operands have the features of the first.
void EqualizeFeatures(HloInstruction& instruction);

// Where the elements of one feature lie in an array of dimensions [outer, features, inner].
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

// A value that depends on the precision, computed once for each.
template <class T>
class AtEachPrecision {
 public:
  explicit AtEachPrecision(std::function<T(mpfr_prec_t)> compute) : compute_(std::move(compute)) {}
  const T& operator()(mpfr_prec_t precision) {
    const auto found = values_.find(precision);
    return found != values_.end() ? found->second : values_.emplace(precision, compute_(precision)).first->second;
  }

 private:
  std::function<T(mpfr_prec_t)> compute_;
  std::map<mpfr_prec_t, T> values_;
};

// scale (x - mean) / deviation + offset
struct Normalization {
  EnclosedReal mean;
  EnclosedReal deviation;  // sqrt(variance + epsilon)
  EnclosedReal scale;
  EnclosedReal offset;
};

// Sqrt(variance + epsilon)
EnclosedReal Deviation(const HloInstruction& instruction, const EnclosedReal& variance);
// The elements of one feature of `operand`, normalized, to the same places of `result`.
void NormalizeFeature(const FeatureElements& elements, std::int64_t feature, const std::vector<double>& operand,
                      AtEachPrecision<Normalization>& normalization, PrimitiveType type, std::byte* result);

// Stores the number that compute(precision) gives, rounded once, as one element of an array.
void StoreRounded(PrimitiveType type, std::byte* array, std::int64_t offset,
                  const std::function<EnclosedReal(mpfr_prec_t)>& compute);

}  // namespace assay
