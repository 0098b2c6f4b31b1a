// Batch normalization in intervals, at a precision that rises until every result is certain.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/numerics/enclosed.h"
#include "interpreter/ops/common/batch_norm.h"

namespace assay {

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
