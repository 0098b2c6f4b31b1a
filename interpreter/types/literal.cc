#include "interpreter/types/literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "interpreter/types/array_memory.h"
#include "interpreter/types/limits.h"
#include "interpreter/types/load_integer.h"

namespace assay {

namespace {

// An array small enough to share one allocation with the count of its owners: loops over scalars allocate once per
// value.
struct SmallArray {
  static constexpr std::int64_t kMostBytes = 64;

  explicit SmallArray(std::int64_t bytes) : bytes(bytes), account(MemoryUse::AddArray(bytes)) {}
  ~SmallArray() { MemoryUse::RemoveArray(bytes, account); }
  SmallArray(const SmallArray&) = delete;
  SmallArray& operator=(const SmallArray&) = delete;

  const std::int64_t bytes;
  const std::shared_ptr<ArrayAccount> account;
  alignas(16) std::byte elements[kMostBytes] = {};
};

std::shared_ptr<std::byte[]> Allocate(std::int64_t bytes, bool zeroed) {
  if (bytes == 0) return nullptr;
  if (bytes <= SmallArray::kMostBytes && !ArrayMemory::kIsSanitized) {
    auto small = std::make_shared<SmallArray>(bytes);
    std::byte* const elements = small->elements;
    return {std::move(small), elements};
  }
  std::shared_ptr<ArrayAccount> account = MemoryUse::AddArray(bytes);
  void* const memory = ArrayMemory::Get(bytes, zeroed);
  if (memory == nullptr) {
    MemoryUse::RemoveArray(bytes, account);
    throw EvaluationError{{ErrorCode::kLimit, fmt::format("the system has no {} bytes of memory left", bytes)}};
  }
  return {static_cast<std::byte*>(memory), [bytes, account = std::move(account)](std::byte* p) {
            ArrayMemory::GiveBack(p, bytes);
            MemoryUse::RemoveArray(bytes, account);
          }};
}

}  // namespace

Literal::Literal(const Literal&) = default;
Literal::Literal(Literal&&) noexcept = default;
Literal& Literal::operator=(const Literal&) = default;
Literal& Literal::operator=(Literal&&) noexcept = default;
Literal::~Literal() = default;

Literal::Literal() { shape_.set_element_type(TUPLE); }

Literal::Literal(const Shape& shape) : Literal(shape, /*zeroed=*/true) {}

Literal Literal::Uninitialized(const Shape& shape) { return Literal(shape, /*zeroed=*/false); }

Literal::Literal(const Shape& shape, bool zeroed) : shape_(shape) {
  if (shape.IsScalar()) {
    element_count_ = 1;
    buffer_ = Allocate(StorageBytes(shape.element_type()), zeroed);
  } else if (shape.IsArray()) {
    const Result<std::int64_t> bytes = ShapeUtil::CheckedByteSizeOf(shape);
    if (!bytes) throw EvaluationError{bytes.error()};
    element_count_ = ShapeUtil::ElementsIn(shape);
    buffer_ = Allocate(*bytes, zeroed);
  }
  for (const Shape& element : shape.tuple_shapes()) elements_.push_back(Literal(element, zeroed));
}

Literal Literal::MakeTuple(std::vector<Literal> elements) {
  Literal literal;
  std::vector<Shape> shapes;
  shapes.reserve(elements.size());
  for (const Literal& element : elements) shapes.push_back(element.shape());
  literal.shape_ = ShapeUtil::MakeTupleShape(std::move(shapes));
  literal.elements_ = std::move(elements);
  return literal;
}

Literal Literal::MakeToken() { return Literal(ShapeUtil::MakeTokenShape()); }

Literal Literal::MakePromised(const Shape& shape, std::shared_ptr<Promise> promise) {
  Literal literal;
  literal.shape_ = shape;
  literal.promise_ = std::move(promise);
  return literal;
}

bool Literal::IsShared() const { return buffer_.use_count() > 1; }

std::byte* Literal::mutable_data() {
  if (IsShared()) {
    auto copy = Allocate(byte_size(), /*zeroed=*/false);
    std::memcpy(copy.get(), buffer_.get(), byte_size());
    buffer_ = std::move(copy);
  }
  return buffer_.get();
}

std::int64_t Literal::OffsetOf(const Dimensions& index) const {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < index.size(); ++d) offset = offset * shape_.dimensions(d) + index[d];
  return offset;
}

std::int64_t Literal::IntegerAt(std::int64_t offset) const {
  return LoadInteger(element_type(), data() + offset * StorageBytes(element_type()));
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

std::int64_t Literal::total_byte_size() const {
  std::int64_t bytes = byte_size();
  for (const Literal& element : elements_) bytes += element.total_byte_size();
  return bytes;
}

bool Literal::BitwiseEqual(const Literal& other) const {
  if (!ShapeUtil::Compatible(shape_, other.shape_)) return false;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (!elements_[i].BitwiseEqual(other.elements_[i])) return false;
  }
  const bool is_shared = data() == other.data();
  return byte_size() == 0 || is_shared || std::memcmp(data(), other.data(), byte_size()) == 0;
}

}  // namespace assay
