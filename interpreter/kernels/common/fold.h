// Folding slices of arrays with a reducer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "interpreter/hlo/op.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// True if the computation is one operation that is associative and commutative on this type, so that every order gives
// the same number. Sums of floats are exact in another way (ops/common/fold_rules.h).
bool IsOrderFree(const ScalarFunction& to_apply, PrimitiveType type);

// One array of slices, each of as many dense elements as there are lanes, and the accumulators it is folded into.
struct FoldedArray {
  const std::byte* slices = nullptr;
  PrimitiveType slice_type = PRIMITIVE_TYPE_INVALID;
  std::byte* accumulators = nullptr;  // hold the initial values
  PrimitiveType accumulator_type = PRIMITIVE_TYPE_INVALID;
};

// Folds n slices of N arrays at once: accumulators = reducer(accumulators, slice k) for k = 0, 1, ..., n - 1.
void FoldSlices(const ScalarFunction& reducer, std::span<const FoldedArray> arrays, std::int64_t n, std::int64_t lanes);

// The same for one array and a reducer that is order-free; fast for few lanes too.
void FoldSlicesInAnyOrder(const ScalarFunction& reducer, FoldedArray array, std::int64_t n, std::int64_t lanes);

}  // namespace assay
