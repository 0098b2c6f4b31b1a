#include "backends/cuda/execution/value.h"

#include <utility>

namespace assay::cuda {

Value Value::OnHost(Literal literal) {
  Value value;
  value.shape_ = literal.shape();
  if (value.shape_.IsTuple()) {
    for (Literal& element : literal.mutable_elements()) value.elements_.push_back(OnHost(std::move(element)));
    return value;
  }
  value.array_ = std::make_shared<Array>();
  value.array_->literal = std::move(literal);
  return value;
}

Value Value::OnDevice(const Shape& shape, std::shared_ptr<Buffer> buffer) {
  Value value;
  value.shape_ = shape;
  value.array_ = std::make_shared<Array>();
  value.array_->buffer = std::move(buffer);
  // An array without elements needs no copy.
  if (value.array_->buffer == nullptr) value.array_->literal = Literal(shape);
  return value;
}

Value Value::Tuple(std::vector<Value> elements) {
  Value value;
  std::vector<Shape> shapes;
  for (const Value& element : elements) shapes.push_back(element.shape());
  value.shape_ = ShapeUtil::MakeTupleShape(std::move(shapes));
  value.elements_ = std::move(elements);
  return value;
}

Value Value::WithShape(const Shape& shape) const {
  Value value = *this;
  value.shape_ = shape;
  for (std::size_t i = 0; i < value.elements_.size(); ++i) {
    value.elements_[i] = value.elements_[i].WithShape(shape.tuple_shapes()[i]);
  }
  return value;
}

Result<Literal> Value::ToHost(const Device& device) const {
  if (shape_.IsTuple()) {
    std::vector<Literal> elements;
    for (const Value& element : elements_) {
      ASSAY_TRY(Literal literal, element.ToHost(device));
      elements.push_back(std::move(literal));
    }
    return Literal::MakeTuple(std::move(elements));
  }
  if (!array_->literal) {
    Literal literal = Literal::Uninitialized(shape_);
    ASSAY_CHECK_OK(device.CopyToHost(*array_->buffer, literal.mutable_data(), literal.byte_size()));
    array_->literal = std::move(literal);
  }
  return array_->literal->WithShape(shape_);
}

Result<Literal> Value::Read(const Device& device) const {
  if (!shape_.IsTuple()) {
    if (array_->buffer == nullptr) return array_->literal->WithShape(shape_);
    Literal literal = Literal::Uninitialized(shape_);
    ASSAY_CHECK_OK(device.CopyToHost(*array_->buffer, literal.mutable_data(), literal.byte_size()));
    return literal;
  }
  std::vector<Literal> elements;
  for (const Value& element : elements_) {
    ASSAY_TRY(Literal literal, element.Read(device));
    elements.push_back(std::move(literal));
  }
  return Literal::MakeTuple(std::move(elements));
}

Result<std::shared_ptr<Buffer>> Value::ToDevice(Device& device) const {
  if (array_->buffer == nullptr && array_->literal->byte_size() > 0) {
    ASSAY_TRY(std::shared_ptr<Buffer> buffer, device.Allocate(array_->literal->byte_size()));
    ASSAY_CHECK_OK(device.CopyToDevice(array_->literal->data(), *buffer, array_->literal->byte_size()));
    array_->buffer = std::move(buffer);
  }
  return array_->buffer;
}

bool Value::IsAlone(int others) const {
  return array_ != nullptr && array_.use_count() == 1 && array_->buffer != nullptr &&
         array_->buffer.use_count() == 1 + others;
}

}  // namespace assay::cuda
