// Folding slices of arrays with a reducer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "interpreter/hlo/op.h"
#include "interpreter/types/primitive_type.h"

namespace assay {

// What is known about a reducer of one array, and so how it may be evaluated.
enum class ReductionKind {
  kExactSum,   // addition of floating-point or complex numbers: exact, rounded once
  kOrderFree,  // associative and commutative: every order gives the same number
  kCanonical,  // anything else: one element after the other, the accumulator first
};
// Both parameters and the result of the reducer are of this type.
ReductionKind KindOfReduction(const ScalarFunction& reducer, PrimitiveType type);

// Whether a reducer of several arrays adds each of them by itself: element i of its result is the sum of parameters i
// and count + i, floating-point or complex numbers. Such folds are as many exact sums.
bool AddsSideBySide(const HloComputation& reducer, std::size_t count);

// One array of slices, each of as many dense elements as there are lanes, and the accumulators it is folded into.
struct FoldedArray {
  const std::byte* slices = nullptr;
  PrimitiveType slice_type = PRIMITIVE_TYPE_INVALID;
  std::byte* accumulators = nullptr;  // hold the initial values
  PrimitiveType accumulator_type = PRIMITIVE_TYPE_INVALID;
};

// Folds n slices of N arrays at once: accumulators = reducer(accumulators, slice k) for k = 0, 1, ..., n - 1.
void FoldSlices(const ScalarFunction& reducer, std::span<const FoldedArray> arrays, std::int64_t n, std::int64_t lanes);

// The same for one array and a reducer of kind kOrderFree; fast for few lanes too.
void FoldSlicesInAnyOrder(const ScalarFunction& reducer, FoldedArray array, std::int64_t n, std::int64_t lanes);

}  // namespace assay
