// The sets of instructions that apply a computation element by element (map), or step by step in one order (scan).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/acceptance/ops/op_acceptance.h"

namespace assay {

// The division of an array into steps. The array has `outer` x `size` x `inner` elements in row-major order. Step i,
// one of `size`, reads or writes the `outer` x `inner` elements with index i in the middle.
struct Steps {
  std::int64_t outer = 1, size = 0, inner = 1;

  // Returns the steps along a dimension of an array.
  static Steps Along(const Shape& shape, std::int64_t dimension);
  // Returns a step for each element.
  static Steps ByElement(const Shape& shape);
};

// The largest number of steps whose sets are found. Instructions with more steps may have any result.
inline constexpr std::int64_t kMostSteps = 1 << 14;

// True if a set can be divided into steps without loss. False for sums of several instructions (ValueSet::terms).
bool HasParts(const ValueSet& set);

// Returns the set of the elements of one step, as an array of this shape. HasParts(set) must hold.
ValueSet StepOf(const ValueSet& set, const Steps& steps, std::int64_t step, const Shape& shape);

// Returns the set of an array from the sets of all its steps, in order. HasParts must hold for each. `value` is the
// reference's array.
ValueSet Joined(const Literal& value, const Steps& steps, std::span<const ValueSet> parts);

}  // namespace assay
