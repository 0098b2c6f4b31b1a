#include "spec_tests/ops/index_formula.h"

#include <cstring>
#include <utility>

#include "spec_tests/property.h"

namespace assay::testing {

std::int64_t NumberOf(const Index& index, const Dimensions& dimensions) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < dimensions.size(); ++d) number = number * dimensions[d] + index[d];
  return number;
}

Index IndexOf(std::int64_t number, const Dimensions& dimensions) {
  Index index(dimensions.size());
  for (std::size_t d = dimensions.size(); d-- > 0; number /= dimensions[d]) index[d] = number % dimensions[d];
  return index;
}

bool IsInside(const Index& index, const Dimensions& dimensions) {
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (index[d] < 0 || index[d] >= dimensions[d]) return false;
  }
  return true;
}

std::string ElementAt(const Literal& array, const Index& index) {
  const int bytes = StorageBytes(array.element_type());
  const auto* at = array.data() + NumberOf(index, array.shape().dimensions()) * bytes;
  return std::string(reinterpret_cast<const char*>(at), bytes);
}

Literal ByFormula(const Shape& shape, const std::function<std::string(const Index&)>& element) {
  Literal array(shape);
  for (std::int64_t i = 0; i < array.element_count(); ++i) {
    const std::string bytes = element(IndexOf(i, shape.dimensions()));
    std::memcpy(array.mutable_data() + i * bytes.size(), bytes.data(), bytes.size());
  }
  return array;
}

PrimitiveType AnyStorage() { return OneOf({U8, BF16, S32, F64, C128}); }

Dimensions AnyDimensions(std::int64_t rank, std::int64_t least, std::int64_t most) {
  Dimensions dimensions(rank);
  for (std::int64_t& size : dimensions) size = InRange(least, most + 1);
  return dimensions;
}

Literal HashedArray(PrimitiveType type, const Dimensions& dimensions, std::uint32_t seed) {
  Literal array(ShapeUtil::MakeShape(type, dimensions));
  std::byte* bytes = array.mutable_data();
  for (std::int64_t i = 0; i < array.byte_size(); ++i) {
    bytes[i] = static_cast<std::byte>((static_cast<std::uint32_t>(i) + seed) * 2654435761u >> 13);
  }
  return array;
}

Literal AnyArray(PrimitiveType type, const Dimensions& dimensions) {
  return HashedArray(type, dimensions, InRange(0, 1000));
}

Int64List AnyPermutation(std::int64_t n) {
  Int64List all(n);
  for (std::int64_t i = 0; i < n; ++i) all[i] = i;
  for (std::int64_t i = n; i-- > 1;) std::swap(all[i], all[InRange(0, i + 1)]);
  return all;
}

Int64List AnySubset(std::int64_t n) {
  Int64List some;
  for (std::int64_t i = 0; i < n; ++i) {
    if (Flip()) some.push_back(i);
  }
  return some;
}

}  // namespace assay::testing
