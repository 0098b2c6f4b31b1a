// Arrays given by a formula of the index: the second, element by element, way to say what an op that moves elements
// returns. It uses no stride and no copy of a range.
#pragma once

#include <rapidcheck.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/types/literal.h"

namespace assay::testing {

using Index = std::vector<std::int64_t>;

// Row-major number of an index.
inline std::int64_t NumberOf(const Index& index, const Dimensions& dimensions) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < dimensions.size(); ++d) number = number * dimensions[d] + index[d];
  return number;
}

// The index of a row-major number.
inline Index IndexOf(std::int64_t number, const Dimensions& dimensions) {
  Index index(dimensions.size());
  for (std::size_t d = dimensions.size(); d-- > 0; number /= dimensions[d]) index[d] = number % dimensions[d];
  return index;
}

inline bool IsInside(const Index& index, const Dimensions& dimensions) {
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (index[d] < 0 || index[d] >= dimensions[d]) return false;
  }
  return true;
}

// The bytes of one element.
inline std::string ElementAt(const Literal& array, const Index& index) {
  const int bytes = StorageBytes(array.element_type());
  const auto* at = array.data() + NumberOf(index, array.shape().dimensions()) * bytes;
  return std::string(reinterpret_cast<const char*>(at), bytes);
}

inline Literal ByFormula(const Shape& shape, const std::function<std::string(const Index&)>& element) {
  Literal array(shape);
  for (std::int64_t i = 0; i < array.element_count(); ++i) {
    const std::string bytes = element(IndexOf(i, shape.dimensions()));
    std::memcpy(array.mutable_data() + i * bytes.size(), bytes.data(), bytes.size());
  }
  return array;
}

// One type of each storage size.
inline PrimitiveType AnyStorage() { return *rc::gen::element(U8, BF16, S32, F64, C128); }

// Dimensions of any sizes from `least` to `most`.
inline Dimensions AnyDimensions(std::int64_t rank, std::int64_t least, std::int64_t most) {
  return *rc::gen::container<Dimensions>(rank, rc::gen::inRange(least, most + 1));
}

// An array whose bytes are a hash of their place; every pattern must be a value of the type.
inline Literal HashedArray(PrimitiveType type, const Dimensions& dimensions, std::uint32_t seed = 0) {
  Literal array(ShapeUtil::MakeShape(type, dimensions));
  std::byte* bytes = array.mutable_data();
  for (std::int64_t i = 0; i < array.byte_size(); ++i) {
    bytes[i] = static_cast<std::byte>((static_cast<std::uint32_t>(i) + seed) * 2654435761u >> 13);
  }
  return array;
}
inline Literal AnyArray(PrimitiveType type, const Dimensions& dimensions) {
  return HashedArray(type, dimensions, *rc::gen::inRange<std::uint32_t>(0, 1000));
}

// 0, 1, ..., n - 1 in some order.
inline Int64List AnyPermutation(std::int64_t n) {
  Int64List all(n);
  for (std::int64_t i = 0; i < n; ++i) all[i] = i;
  for (std::int64_t i = n; i-- > 1;) std::swap(all[i], all[*rc::gen::inRange<std::int64_t>(0, i + 1)]);
  return all;
}

// Some of 0, 1, ..., n - 1 in ascending order.
inline Int64List AnySubset(std::int64_t n) {
  Int64List some;
  for (std::int64_t i = 0; i < n; ++i) {
    if (*rc::gen::arbitrary<bool>()) some.push_back(i);
  }
  return some;
}

}  // namespace assay::testing
