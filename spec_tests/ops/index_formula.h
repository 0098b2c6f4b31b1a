// Arrays given by a formula of the index: the second, element by element, way to say what an op that moves elements
// returns. It uses no stride and no copy of a range.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/hlo/attributes.h"
#include "interpreter/types/literal.h"

namespace assay::testing {

using Index = std::vector<std::int64_t>;

// Row-major number of an index.
std::int64_t NumberOf(const Index& index, const Dimensions& dimensions);

// The index of a row-major number.
Index IndexOf(std::int64_t number, const Dimensions& dimensions);

bool IsInside(const Index& index, const Dimensions& dimensions);

// The bytes of one element.
std::string ElementAt(const Literal& array, const Index& index);

Literal ByFormula(const Shape& shape, const std::function<std::string(const Index&)>& element);

// One type of each storage size.
PrimitiveType AnyStorage();

// Dimensions of any sizes from `least` to `most`.
Dimensions AnyDimensions(std::int64_t rank, std::int64_t least, std::int64_t most);

// An array whose bytes are a hash of their place; every pattern must be a value of the type.
Literal HashedArray(PrimitiveType type, const Dimensions& dimensions, std::uint32_t seed = 0);
Literal AnyArray(PrimitiveType type, const Dimensions& dimensions);

// 0, 1, ..., n - 1 in some order.
Int64List AnyPermutation(std::int64_t n);

// Some of 0, 1, ..., n - 1 in ascending order.
Int64List AnySubset(std::int64_t n);

}  // namespace assay::testing
