// A value: the dense elements of an array, a tuple of values, or a token.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/types/shape.h"

namespace assay {

// The shared state of a pending value.
class Promise {
 public:
  virtual ~Promise() = default;
};

// The elements are in row-major (logical) order, regardless of the shape's layout. Each takes StorageBytes(type) bytes:
// types narrower than a byte take a whole one, with signed ones sign-extended. Copies share the elements until one of
// them writes.
class Literal {
 public:
  // Makes an empty tuple.
  Literal();
  // Out of line, like those of Shape.
  Literal(const Literal&);
  Literal(Literal&&) noexcept;
  Literal& operator=(const Literal&);
  Literal& operator=(Literal&&) noexcept;
  ~Literal();
  // Makes an array of zeros, or a tuple of such values for a tuple shape. Throws EvaluationError if the size exceeds
  // the memory limit.
  explicit Literal(const Shape& shape);
  static Literal MakeTuple(std::vector<Literal> elements);
  static Literal MakeToken();
  // Makes an array without zeroing it: the caller writes all elements.
  static Literal Uninitialized(const Shape& shape);

  // Makes the pending value of an asynchronous operation between its start and its done: it has a shape but no elements
  // yet.
  static Literal MakePromised(const Shape& shape, std::shared_ptr<Promise> promise);
  // Null unless the value is pending.
  const std::shared_ptr<Promise>& promise() const { return promise_; }

  const Shape& shape() const { return shape_; }
  PrimitiveType element_type() const { return shape_.element_type(); }
  std::int64_t element_count() const { return element_count_; }
  std::int64_t byte_size() const { return element_count_ * StorageBytes(element_type()); }
  std::int64_t total_byte_size() const;  // summed over the arrays of a tuple

  const std::byte* data() const { return buffer_.get(); }
  // Copies the elements first if another literal shares them. The check is a relaxed load of the count of owners, which
  // orders nothing: if another thread was the last other owner, a mutex or a join must have handed the literal over, as
  // flows and ParallelFor do. TSan does not detect a violation.
  std::byte* mutable_data();
  // True if another literal shares the elements, so that mutable_data would copy them.
  bool IsShared() const;

  // T's size must be the storage size of the element type.
  template <class T>
  std::span<const T> values() const {
    return {reinterpret_cast<const T*>(data()), static_cast<std::size_t>(element_count_)};
  }
  template <class T>
  std::span<T> mutable_values() {
    return {reinterpret_cast<T*>(mutable_data()), static_cast<std::size_t>(element_count_)};
  }

  // Returns the element at an index such as {1, 0}, which must be in bounds.
  template <class T>
  T Get(const Dimensions& index) const {
    return reinterpret_cast<const T*>(data())[OffsetOf(index)];
  }
  template <class T>
  void Set(const Dimensions& index, T value) {
    reinterpret_cast<T*>(mutable_data())[OffsetOf(index)] = value;
  }
  // Returns the row-major offset of an index.
  std::int64_t OffsetOf(const Dimensions& index) const;

  // Returns the element at a row-major offset as a 64-bit integer; pred and integral types only.
  std::int64_t IntegerAt(std::int64_t offset) const;
  bool BoolAt(std::int64_t offset) const { return IntegerAt(offset) != 0; }

  // Elements of a tuple.
  const std::vector<Literal>& elements() const { return elements_; }
  std::vector<Literal>& mutable_elements() { return elements_; }

  // Returns the same elements under another shape, which must have the same element count and storage size.
  Literal WithShape(const Shape& shape) const&;
  Literal WithShape(const Shape& shape) &&;

  // Returns the run-time size of a dynamic dimension; its bound until set.
  std::int64_t dynamic_size(std::int64_t dimension) const;
  void set_dynamic_size(std::int64_t dimension, std::int64_t size);
  bool has_dynamic_sizes() const { return !dynamic_sizes_.empty(); }

  // True if shapes (layouts ignored) and all bits of the elements are equal.
  bool BitwiseEqual(const Literal& other) const;

 private:
  Literal(const Shape& shape, bool zeroed);

  Shape shape_;
  std::int64_t element_count_ = 0;
  std::shared_ptr<std::byte[]> buffer_;
  std::vector<Literal> elements_;
  std::shared_ptr<Promise> promise_;
  std::vector<std::int64_t> dynamic_sizes_;  // empty: every dimension has its full size
};

// The functions of XLA's LiteralUtil that build small values.
namespace LiteralUtil {

template <class T>
Literal CreateR0(PrimitiveType type, T value) {
  Literal literal(ShapeUtil::MakeScalarShape(type));
  literal.mutable_values<T>()[0] = value;
  return literal;
}
// Makes an array of any rank from row-major values of the storage type.
template <class T>
Literal Create(PrimitiveType type, Dimensions dimensions, std::span<const T> values) {
  Literal literal(ShapeUtil::MakeShape(type, std::move(dimensions)));
  auto out = literal.mutable_values<T>();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = values[i];
  return literal;
}

}  // namespace LiteralUtil
}  // namespace assay
