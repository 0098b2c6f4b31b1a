// Folds slices of arrays with a reducer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "interpreter/hlo/op.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// True if the computation is one operation that is associative and commutative on this type, so that every order has
// the same result. Sums of floats are exact by other means (ops/common/fold_rules.h).
bool IsOrderFree(const ScalarFunction& to_apply, PrimitiveType type);

// One array of slices, each with as many dense elements as there are lanes, and the accumulators of its fold.
struct FoldedArray {
  const std::byte* slices = nullptr;
  PrimitiveType slice_type = PRIMITIVE_TYPE_INVALID;
  std::byte* accumulators = nullptr;  // hold the initial values
  PrimitiveType accumulator_type = PRIMITIVE_TYPE_INVALID;
};

// Folds n slices of N arrays at once: accumulators = reducer(accumulators, slice k) for k = 0, 1, ..., n - 1.
void FoldSlices(const ScalarFunction& reducer, std::span<const FoldedArray> arrays, std::int64_t n, std::int64_t lanes);

// Does the same for one array and an order-free reducer. Also fast for few lanes.
void FoldSlicesInAnyOrder(const ScalarFunction& reducer, FoldedArray array, std::int64_t n, std::int64_t lanes);

}  // namespace assay
