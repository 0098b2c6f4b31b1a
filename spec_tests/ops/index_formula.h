// Arrays given by a formula of the index: an independent, element by element definition of ops that move elements. It
// uses no strides and copies no ranges.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/types/literal.h"

namespace assay::testing {

using Index = std::vector<std::int64_t>;

// Returns the row-major number of an index.
std::int64_t NumberOf(const Index& index, const Dimensions& dimensions);

// Returns the index of a row-major number.
Index IndexOf(std::int64_t number, const Dimensions& dimensions);

bool IsInside(const Index& index, const Dimensions& dimensions);

// Returns the bytes of one element.
std::string ElementAt(const Literal& array, const Index& index);

Literal ByFormula(const Shape& shape, const std::function<std::string(const Index&)>& element);

// Draws a type; there is one of each storage size.
PrimitiveType AnyStorage();

// Draws dimensions with sizes from `least` to `most`.
Dimensions AnyDimensions(std::int64_t rank, std::int64_t least, std::int64_t most);

// Returns an array whose bytes are a hash of their position. Every pattern must be a value of the type.
Literal HashedArray(PrimitiveType type, const Dimensions& dimensions, std::uint32_t seed = 0);
Literal AnyArray(PrimitiveType type, const Dimensions& dimensions);

// Draws a permutation of 0, 1, ..., n - 1.
Int64List AnyPermutation(std::int64_t n);

// Draws a subset of 0, 1, ..., n - 1 in ascending order.
Int64List AnySubset(std::int64_t n);

}  // namespace assay::testing
