#include <cstring>

#include "interpreter/numerics/convert.h"
#include "interpreter/numerics/round.h"
#include "interpreter/ops/common/total_order.h"
#include "interpreter/ops/plain/plain.h"

namespace assay::plain {
namespace {

// Returns the byte offset of an element. No other line knows the storage order.
std::int64_t StorageOffset(const Literal& array, const Index& index) {
  return array.OffsetOf(index) * StorageBytes(array.element_type());
}

double PartAt(const Element& element, int place) {
  const PrimitiveType type = ComplexComponentType(element.type);
  double value = 0;
  LoadReals(type, element.storage.data() + place * StorageBytes(type), &value, 1);
  return value;
}

}  // namespace

Index Entries(const Index& index, std::span<const std::int64_t> dimensions) {
  Index entries;
  for (const std::int64_t d : dimensions) entries.push_back(index[d]);
  return entries;
}

void Place(const Index& entries, std::span<const std::int64_t> dimensions, Index& index) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) index[dimensions[i]] = entries[i];
}

Index Plus(const Index& a, const Index& b) {
  Index sum = a;
  for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += b[d];
  return sum;
}

Index Joined(Index front, const Index& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

Element At(const Literal& array, const Index& index) {
  Element element{.type = array.element_type()};
  std::memcpy(element.storage.data(), array.data() + StorageOffset(array, index), StorageBytes(element.type));
  return element;
}

Row RowAt(std::span<const Literal> arrays, const Index& index) {
  Row row;
  for (const Literal& array : arrays) row.push_back(At(array, index));
  return row;
}

void Set(Literal& array, const Index& index, const Element& element) {
  const Element converted = ConvertedTo(array.element_type(), element);
  std::memcpy(array.mutable_data() + StorageOffset(array, index), converted.storage.data(),
              StorageBytes(converted.type));
}

Element ConvertedTo(PrimitiveType type, const Element& element) {
  if (type == element.type) return element;
  Element converted{.type = type};
  Convert(element.type, element.storage.data(), type, converted.storage.data(), 1);
  return converted;
}

Element Zero(PrimitiveType type) { return ConvertedTo(type, {.type = PRED}); }

std::int64_t IntegerOf(const Element& element) {
  std::uint64_t value = 0;
  LoadIntegers(element.type, element.storage.data(), &value, 1);
  return static_cast<std::int64_t>(value);
}

double RealPart(const Element& element) { return PartAt(element, 0); }

double ImaginaryPart(const Element& element) { return IsComplexType(element.type) ? PartAt(element, 1) : 0; }

Element Integer(std::int64_t value) { return WithBits(S64, static_cast<std::uint64_t>(value)); }

std::uint64_t BitsOf(const Element& element) {
  std::uint64_t stored = 0;
  std::memcpy(&stored, element.storage.data(), sizeof stored);
  return stored & ~std::uint64_t{0} >> (64 - (element.type == PRED ? 1 : BitWidth(element.type)));
}

Element WithBits(PrimitiveType type, std::uint64_t bits) {
  Element element{.type = type};
  if (IsFloatingPointType(type)) {
    std::memcpy(element.storage.data(), &bits, StorageBytes(type));
  } else {
    StoreIntegers(type, &bits, element.storage.data(), 1);
  }
  return element;
}

std::vector<std::uint8_t> BytesOf(const Element& element) {
  std::vector<std::uint8_t> bytes(StorageBytes(element.type));
  std::memcpy(bytes.data(), element.storage.data(), bytes.size());
  return bytes;
}

Element WithBytes(PrimitiveType type, std::span<const std::uint8_t> bytes) {
  Element element{.type = type};
  std::memcpy(element.storage.data(), bytes.data(), bytes.size());
  if (type == PRED) element.storage[0] = std::byte{element.storage[0] != std::byte{0}};
  return element;
}

bool IsLess(const Element& a, const Element& b) {
  if (IsFloatingPointType(a.type)) {
    const FloatFormat& format = FloatFormatOf(a.type);
    return TotalOrderKey(format, BitsOf(a)) < TotalOrderKey(format, BitsOf(b));
  }
  const std::int64_t x = IntegerOf(a), y = IntegerOf(b);
  return a.type == U64 ? static_cast<std::uint64_t>(x) < static_cast<std::uint64_t>(y) : x < y;
}

ScalarCall::ScalarCall(const HloComputation& computation, Evaluation& evaluation)
    : function_(evaluation.Scalar(computation)) {
  for (const HloInstruction* parameter : computation.Parameters()) {
    parameter_types_.push_back(parameter->shape.element_type());
  }
  const Shape& result = computation.root->shape;
  for (const Shape& scalar : result.IsTuple() ? result.tuple_shapes() : std::vector<Shape>{result}) {
    result_types_.push_back(scalar.element_type());
  }
}

Row ScalarCall::operator()(const Row& arguments) const {
  Row converted;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    converted.push_back(ConvertedTo(parameter_types_[i], arguments[i]));
  }
  std::vector<const std::byte*> inputs;
  for (const Element& argument : converted) inputs.push_back(argument.storage.data());
  Row results;
  for (const PrimitiveType type : result_types_) results.push_back({.type = type});
  std::vector<std::byte*> outputs;
  for (Element& result : results) outputs.push_back(result.storage.data());
  function_->Apply(inputs, outputs, 1);
  return results;
}

Outputs::Outputs(const Shape& shape) : is_tuple_(shape.IsTuple()) {
  for (const Shape& array : is_tuple_ ? shape.tuple_shapes() : std::vector<Shape>{shape}) arrays_.emplace_back(array);
}

Outputs::Outputs(const Shape& shape, std::span<const Literal> arrays) : is_tuple_(shape.IsTuple()) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    arrays_.push_back(arrays[i].WithShape(is_tuple_ ? shape.tuple_shapes(i) : shape));
  }
}

void Outputs::Set(const Index& index, const Row& row) {
  for (std::size_t i = 0; i < row.size(); ++i) plain::Set(arrays_[i], index, row[i]);
}

Literal Outputs::Take() && { return is_tuple_ ? Literal::MakeTuple(std::move(arrays_)) : std::move(arrays_.front()); }

}  // namespace assay::plain
