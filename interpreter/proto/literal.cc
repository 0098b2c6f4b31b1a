#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "interpreter/hlo/literal_text.h"
#include "interpreter/proto/values.h"
#include "interpreter/types/index_util.h"
#include "interpreter/types/without_throwing.h"

namespace assay::proto {
namespace {

// Returns the field of a LiteralProto for the elements of a type, "f32s" for f32; null if the type has no literals. A
// kText holds them as bytes, a kFloats or kDoubles as numbers of the same bytes, a kIntegers as varints.
const Field* FieldOfElements(PrimitiveType type) {
  return FindField(MessageType::LiteralProto, fmt::format("{}s", PrimitiveTypeName(type)));
}

Error WrongLiteral(const Shape& shape, std::string message) {
  return {ErrorCode::kParse, fmt::format("the literal {}: {}", shape.ToStringWithoutLayout(), std::move(message))};
}

// Returns the stored elements of an array, in the order of its layout.
Result<std::string> StoredElements(const Message& message, const Shape& shape) {
  const Field* const field = FieldOfElements(shape.element_type());
  if (field == nullptr) return WrongLiteral(shape, "this type has no literals");
  std::string stored;
  if (field->kind != FieldKind::kIntegers) {
    for (const std::string_view bytes : message.Texts(*field)) stored += bytes;
    return stored;
  }
  const int size = StorageBytes(shape.element_type());
  message.ForEachInteger(*field, [&](std::uint64_t value) {
    for (int i = 0; i < size; ++i) stored += static_cast<char>(value >> 8 * i);
  });
  return stored;
}

// Returns the row-major index of each element in the order of the layout; nothing if the two orders are equal.
std::vector<std::int64_t> RowMajorPlaces(const Shape& shape) {
  if (shape.has_default_layout() || LayoutUtil::IsMonotonicWithDim0Major(shape.layout())) return {};
  const std::vector<std::int64_t> strides = RowMajorStrides(shape.dimensions());
  Dimensions sizes;
  std::vector<std::int64_t> steps[1];
  const auto& order = shape.layout().minor_to_major;
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    sizes.push_back(shape.dimensions(*d));
    steps[0].push_back(strides[*d]);
  }
  std::vector<std::int64_t> places;
  places.reserve(ShapeUtil::ElementsIn(shape));
  StridedWalk<1>(sizes, steps).ForEach({0}, [&](const std::int64_t(&at)[1]) { places.push_back(at[0]); });
  return places;
}

// Unpacks densely packed elements to one byte each; the first one is in the lowest bits.
std::string Unpacked(std::string_view packed, std::int64_t count, int bits) {
  std::string bytes;
  const int each = 8 / bits;
  for (std::int64_t i = 0; i < count; ++i) {
    bytes += static_cast<char>(static_cast<unsigned char>(packed[i / each]) >> i % each * bits);
  }
  return bytes;
}

// Clears the bits of each byte above those of its type, or fills them with the sign. A PRED has one bit.
void ClearAbove(PrimitiveType type, std::string& bytes) {
  const int bits = type == PRED ? 1 : BitWidth(type);
  if (bits >= 8) return;
  for (char& byte : bytes) {
    unsigned value = static_cast<unsigned char>(byte) & ((1U << bits) - 1);
    if (IsSignedIntegralType(type) && (value >> (bits - 1)) != 0) value |= 0xFFU << bits;
    byte = static_cast<char>(value);
  }
}

// Returns the bits of an element if a byte holds several; otherwise 8.
int PackedBits(PrimitiveType type) {
  if (type == PRED) return 1;
  return BitWidth(type) < 8 && 8 % BitWidth(type) == 0 ? BitWidth(type) : 8;
}

Status CheckByteCount(const Shape& shape, std::size_t found, bool is_packed) {
  Result<std::int64_t> count = ShapeUtil::CheckedElementsIn(shape);
  if (!count) return WrongLiteral(shape, count.error().message);
  const std::int64_t each = is_packed ? 8 / PackedBits(shape.element_type()) : 1;
  const std::int64_t bytes = is_packed ? *count / each + (*count % each != 0) : *count;
  const std::int64_t size = is_packed ? 1 : StorageBytes(shape.element_type());
  if (static_cast<std::int64_t>(found) % size == 0 && static_cast<std::int64_t>(found) / size == bytes) return {};
  return WrongLiteral(shape, fmt::format("expected {} byte(s) for each of {} {}, found {} in all", size, bytes,
                                         is_packed ? "groups of elements" : "elements", found));
}

Result<Literal> ReadArray(const Message& message, const Shape& shape) {
  ASSAY_TRY(const std::string stored, StoredElements(message, shape));
  ASSAY_TRY(Literal literal, LiteralOfBytes(shape, stored, /*is_packed=*/false));
  const std::vector<std::int64_t> sizes = message.Integers(fields::LiteralProto::dynamic_sizes);
  for (std::int64_t d = 0; d < std::min(shape.rank(), std::ssize(sizes)); ++d) {
    if (!shape.is_dynamic_dimension(d)) continue;
    if (sizes[d] < 0 || sizes[d] > shape.dimensions(d)) {
      return WrongLiteral(shape, fmt::format("the size of dimension {} must be in [0, {}], found {}", d,
                                             shape.dimensions(d), sizes[d]));
    }
    literal.set_dynamic_size(d, sizes[d]);
  }
  return literal;
}

// Returns the bytes of the elements in the order of the layout. Types narrower than a byte have zeros in the unused
// bits.
std::string BytesInLayout(const Literal& literal) {
  const PrimitiveType type = literal.element_type();
  const int size = StorageBytes(type);
  const auto* const data = reinterpret_cast<const char*>(literal.data());
  std::string bytes;
  const std::vector<std::int64_t> places = RowMajorPlaces(literal.shape());
  if (places.empty()) bytes.assign(data, static_cast<std::size_t>(literal.byte_size()));
  for (const std::int64_t place : places) bytes.append(data + place * size, static_cast<std::size_t>(size));
  if (BitWidth(type) >= 8) return bytes;
  for (char& byte : bytes) byte = static_cast<char>(static_cast<unsigned char>(byte) & ((1U << BitWidth(type)) - 1));
  return bytes;
}

void WriteElements(const Literal& literal, MessageWriter& message) {
  const PrimitiveType type = literal.element_type();
  const Field* const field = FieldOfElements(type);
  const std::string bytes = BytesInLayout(literal);
  if (field == nullptr || field->kind != FieldKind::kIntegers) {
    if (field != nullptr) message.Text(*field, bytes);
    return;
  }
  const int size = StorageBytes(type);
  std::vector<std::int64_t> values;
  for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(size)) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, static_cast<std::size_t>(size));
    values.push_back(type == S32 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value));
  }
  message.Integers(*field, values);
}

}  // namespace

Result<Literal> LiteralOfBytes(const Shape& shape, std::string_view stored, bool is_packed) {
  const PrimitiveType type = shape.element_type();
  is_packed = is_packed && PackedBits(type) < 8;
  ASSAY_CHECK_OK(CheckByteCount(shape, stored.size(), is_packed));
  if (const Status empty = CheckEmptyArrays(shape); !empty) return WrongLiteral(shape, empty.error().message);
  if (!LayoutUtil::IsPermutation(shape.layout().minor_to_major)) {
    return WrongLiteral(shape, "the layout must list each dimension once");
  }
  return WithoutThrowing([&]() -> Result<Literal> {
    Literal literal = Literal::Uninitialized(shape);
    std::string bytes = is_packed ? Unpacked(stored, literal.element_count(), PackedBits(type)) : std::string(stored);
    ClearAbove(type, bytes);
    auto* const data = reinterpret_cast<char*>(literal.mutable_data());
    const auto size = static_cast<std::size_t>(StorageBytes(type));
    const std::vector<std::int64_t> places = RowMajorPlaces(shape);
    if (places.empty() && !bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
    for (std::size_t i = 0; i < places.size(); ++i) std::memcpy(data + places[i] * size, bytes.data() + i * size, size);
    return literal;
  });
}

Result<Literal> ReadLiteral(const Message& message) {
  ASSAY_TRY(const Shape shape, ReadShape(message.Sub(fields::LiteralProto::shape)));
  if (shape.IsToken()) return Literal::MakeToken();
  if (!shape.IsTuple()) return ReadArray(message, shape);
  std::vector<Literal> elements;
  for (const std::string_view bytes : message.Texts(fields::LiteralProto::tuple_literals)) {
    ASSAY_TRY(elements.emplace_back(), ReadLiteral(Message(bytes)));
  }
  Literal tuple = Literal::MakeTuple(std::move(elements));
  if (ShapeUtil::Compatible(tuple.shape(), shape)) return tuple;
  return WrongLiteral(shape, fmt::format("its elements are {}", tuple.shape().ToStringWithoutLayout()));
}

MessageWriter WriteLiteral(const Literal& literal) {
  MessageWriter message;
  message.Sub(fields::LiteralProto::shape, WriteShape(literal.shape()));
  for (const Literal& element : literal.elements())
    message.Sub(fields::LiteralProto::tuple_literals, WriteLiteral(element));
  if (literal.shape().IsArray()) WriteElements(literal, message);
  if (literal.has_dynamic_sizes()) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t d = 0; d < literal.shape().rank(); ++d) sizes.push_back(literal.dynamic_size(d));
    message.Integers(fields::LiteralProto::dynamic_sizes, sizes);
  }
  return message;
}

}  // namespace assay::proto
