// Sets through instructions that apply a computation once for each element, or step by step in one order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// The parts of an array that the steps read or write. The array has `outer` x `size` x `inner` elements in row-major
// order; step i has `outer` x `inner` of them.
struct Steps {
  std::int64_t outer = 1, size = 0, inner = 1;

  // The steps along a dimension of an array.
  static Steps Along(const Shape& shape, std::int64_t dimension);
  // One step for each element.
  static Steps ByElement(const Shape& shape);
};

// The largest number of steps whose sets are found. Nothing is known of the results of more.
inline constexpr std::int64_t kMostSteps = 1 << 14;

// True if steps keep everything that a set says: sums of several instructions (ValueSet::terms) have no parts.
bool HasParts(const ValueSet& set);

// Returns the set of the elements of one step, in an array of this shape. The set must have parts.
ValueSet StepOf(const ValueSet& set, const Steps& steps, std::int64_t step, const Shape& shape);

// Returns the set of an array from those of its steps, none missing. They must have parts.
ValueSet Joined(const Literal& value, const Steps& steps, std::span<const ValueSet> parts);

}  // namespace assay
