// Batch normalization in intervals, at a precision that increases until every result is decided.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "interpreter/hlo/module.h"
#include "interpreter/numerics/enclosed.h"
#include "interpreter/ops/common/batch_norm.h"

namespace assay {

// A value that depends on the precision. Computed once for each precision.
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

// The terms of scale (x - mean) / deviation + offset.
struct Normalization {
  EnclosedReal mean;
  EnclosedReal deviation;  // sqrt(variance + epsilon)
  EnclosedReal scale;
  EnclosedReal offset;
};

// Returns sqrt(variance + epsilon).
EnclosedReal Deviation(const HloInstruction& instruction, const EnclosedReal& variance);
// Normalizes the elements of one feature of `operand`, and stores them at the same places of `result`.
void NormalizeFeature(const FeatureElements& elements, std::int64_t feature, const std::vector<double>& operand,
                      AtEachPrecision<Normalization>& normalization, PrimitiveType type, std::byte* result);

// Rounds the number that compute(precision) encloses once, and stores it as one element of an array.
void StoreRounded(PrimitiveType type, std::byte* array, std::int64_t offset,
                  const std::function<EnclosedReal(mpfr_prec_t)>& compute);

}  // namespace assay
