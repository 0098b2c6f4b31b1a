#include "interpreter/types/literal.h"

#include <cstdlib>
#include <cstring>

namespace assay {

Literal::Literal() : shape_(ShapeUtil::MakeTupleShape({})) {}

Literal Literal::Uninitialized(const Shape& shape) {
  Literal literal;
  literal.shape_ = shape;
  literal.element_count_ = shape.IsArray() ? ShapeUtil::ElementsIn(shape) : 0;
  const std::size_t bytes = literal.byte_size();
  if (bytes > 0) literal.buffer_ = std::make_shared_for_overwrite<std::byte[]>(bytes);
  for (const Shape& element : shape.tuple_shapes()) literal.elements_.push_back(Uninitialized(element));
  return literal;
}

Literal::Literal(const Shape& shape)
    : shape_(shape), element_count_(shape.IsArray() ? ShapeUtil::ElementsIn(shape) : 0) {
  const std::size_t bytes = byte_size();
  if (bytes > 0) buffer_ = std::make_shared<std::byte[]>(bytes);
  for (const Shape& element : shape.tuple_shapes()) elements_.emplace_back(element);
}

Literal Literal::MakeTuple(std::vector<Literal> elements) {
  Literal literal;
  std::vector<Shape> shapes;
  for (const Literal& element : elements) shapes.push_back(element.shape());
  literal.shape_ = ShapeUtil::MakeTupleShape(std::move(shapes));
  literal.elements_ = std::move(elements);
  return literal;
}

Literal Literal::MakeToken() { return Literal(ShapeUtil::MakeTokenShape()); }

std::byte* Literal::mutable_data() {
  if (IsShared()) {
    auto copy = std::make_shared_for_overwrite<std::byte[]>(byte_size());
    std::memcpy(copy.get(), buffer_.get(), byte_size());
    buffer_ = std::move(copy);
  }
  return buffer_.get();
}

std::int64_t Literal::IntegerAt(std::int64_t offset) const {
  const std::byte* at = data() + offset * StorageBytes(element_type());
  const auto load = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<std::int64_t>(value);
  };
  const bool is_signed = IsSignedIntegralType(element_type());
  switch (StorageBytes(element_type())) {
    case 1:
      return is_signed ? load(std::int8_t{}) : load(std::uint8_t{});
    case 2:
      return is_signed ? load(std::int16_t{}) : load(std::uint16_t{});
    case 4:
      return is_signed ? load(std::int32_t{}) : load(std::uint32_t{});
    default:
      return load(std::int64_t{});
  }
}

Literal Literal::WithShape(const Shape& shape) const& { return Literal(*this).WithShape(shape); }

Literal Literal::WithShape(const Shape& shape) && {
  Literal result = std::move(*this);
  result.shape_ = shape;
  result.dynamic_sizes_.clear();
  return result;
}

std::int64_t Literal::dynamic_size(std::int64_t dimension) const {
  return dynamic_sizes_.empty() ? shape_.dimensions(dimension) : dynamic_sizes_[dimension];
}

void Literal::set_dynamic_size(std::int64_t dimension, std::int64_t size) {
  if (dynamic_sizes_.empty()) dynamic_sizes_ = shape_.dimensions();
  dynamic_sizes_[dimension] = size;
}

bool Literal::BitwiseEqual(const Literal& other) const {
  if (!ShapeUtil::Compatible(shape_, other.shape_)) return false;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (!elements_[i].BitwiseEqual(other.elements_[i])) return false;
  }
  return byte_size() == 0 || std::memcmp(data(), other.data(), byte_size()) == 0;
}

}  // namespace assay
