#include "interpreter/types/buffer.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "interpreter/types/float_format.h"
#include "interpreter/types/index_util.h"

namespace assay {
namespace {

static_assert(std::endian::native == std::endian::little, "buffers and literals are little-endian");

Error IllegalBuffer(const Shape& shape, std::string_view rule) {
  return Error{ErrorCode::kIllegal, fmt::format("{}: {}", shape.ToString(), rule)};
}

// Returns the bits of one element in the buffer.
Result<std::int64_t> ElementBits(const Shape& shape) {
  const std::int64_t storage = 8 * StorageBytes(shape.element_type());
  const std::int64_t written = shape.has_layout() ? shape.layout().element_size_in_bits : 0;
  if (written == 0) return storage;
  if (written < BitWidth(shape.element_type()) || written > storage) {
    return IllegalBuffer(shape, fmt::format("an element takes between {} and {} bits, found E({})",
                                            BitWidth(shape.element_type()), storage, written));
  }
  return written;
}

std::uint64_t FloatPadding(const FloatFormat& format, PaddingValue value) {
  switch (value) {
    case PaddingValue::kOne:
      return static_cast<std::uint64_t>(format.bias) << format.mantissa_bits;
    case PaddingValue::kHighest:
      return format.has_infinity ? format.overflow_bits(false) : format.max_finite_bits();
    case PaddingValue::kLowest:
      if (!format.has_sign) return 0;
      return format.sign_mask() | (format.has_infinity ? format.overflow_bits(true) : format.max_finite_bits());
    default:
      return 0;
  }
}

std::uint64_t IntegerPadding(PrimitiveType type, PaddingValue value) {
  const int bits = type == PRED ? 1 : BitWidth(type);
  const std::uint64_t all_ones = ~std::uint64_t{0};
  const std::uint64_t sign = IsSignedIntegralType(type) ? 1 : 0;
  switch (value) {
    case PaddingValue::kOne:
      return 1;
    case PaddingValue::kLowest:
      return sign == 0 ? 0 : all_ones << (bits - 1);  // sign-extended
    case PaddingValue::kHighest:
      return all_ones >> (64 - bits + sign);
    default:
      return 0;
  }
}

// Returns the bits of a padding cell. Fails if the type has no such value.
Result<std::uint64_t> PaddingBits(const Shape& shape) {
  const PaddingValue value = shape.has_layout() ? shape.layout().padding_value : PaddingValue::kInvalid;
  const PrimitiveType type = shape.element_type();
  if (IsComplexType(type)) {
    if (value == PaddingValue::kLowest || value == PaddingValue::kHighest) {
      return IllegalBuffer(shape, "complex numbers have no lowest or highest value to pad with");
    }
    return FloatPadding(FloatFormatOf(ComplexComponentType(type)), value);  // the real part; the imaginary one is 0
  }
  if (!IsFloatingPointType(type)) return IntegerPadding(type, value);
  const FloatFormat& format = FloatFormatOf(type);
  if (value == PaddingValue::kZero && !format.has_zero) return IllegalBuffer(shape, "the type has no zero to pad with");
  return FloatPadding(format, value);
}

void WriteBits(std::vector<std::byte>& buffer, std::int64_t offset, std::int64_t bits, const std::byte* element) {
  if (bits % 8 == 0) {
    std::memcpy(buffer.data() + offset * (bits / 8), element, bits / 8);
    return;
  }
  for (std::int64_t i = 0; i < bits; ++i) {
    const std::int64_t at = offset * bits + i;
    const std::byte mask = std::byte{1} << (at % 8);
    const bool is_set = (element[i / 8] >> (i % 8) & std::byte{1}) != std::byte{0};
    buffer[at / 8] = is_set ? buffer[at / 8] | mask : buffer[at / 8] & ~mask;
  }
}

void ReadBits(std::span<const std::byte> buffer, std::int64_t offset, std::int64_t bits, bool is_signed,
              std::byte* element) {
  if (bits % 8 == 0) {
    std::memcpy(element, buffer.data() + offset * (bits / 8), bits / 8);
    return;
  }
  // Packed: the type is narrower than a byte.
  unsigned value = 0;
  for (std::int64_t i = 0; i < bits; ++i) {
    const std::int64_t at = offset * bits + i;
    value |= std::to_integer<unsigned>(buffer[at / 8] >> (at % 8) & std::byte{1}) << i;
  }
  if (is_signed && (value >> (bits - 1) & 1) != 0) value |= 0xFFu << bits;
  *element = static_cast<std::byte>(value);
}

Status ValidateArray(const Shape& shape) {
  if (!shape.IsArray()) return IllegalBuffer(shape, "only an array has a buffer of elements");
  return ShapeUtil::ValidateShape(shape);
}

std::int64_t BytesOf(std::int64_t elements, std::int64_t bits) { return (elements * bits + 7) / 8; }

// Calls visit(row_major, offset) for each element.
template <class Visit>
void ForEachElement(const Shape& shape, const PhysicalLayout& physical, Visit visit) {
  if (ShapeUtil::ElementsIn(shape) == 0) return;
  std::vector<std::int64_t> index(shape.rank(), 0);
  std::int64_t row_major = 0;
  do {
    visit(row_major++, physical.Offset(index));
  } while (IndexUtil::BumpIndices(shape.dimensions(), index));
}

}  // namespace

std::int64_t BufferBytes(const Shape& shape) {
  return PhysicalLayout(shape).buffer_elements() * StorageBytes(shape.element_type());
}

Result<std::vector<std::byte>> ToBuffer(const Literal& literal, const Shape& shape) {
  ASSAY_CHECK_OK(ValidateArray(shape));
  if (!ShapeUtil::Compatible(literal.shape(), shape)) {
    return IllegalBuffer(shape,
                         fmt::format("cannot hold a value of shape {}", literal.shape().ToStringWithoutLayout()));
  }
  ASSAY_TRY(const std::int64_t bits, ElementBits(shape));
  ASSAY_TRY(const std::uint64_t padding, PaddingBits(shape));
  const PhysicalLayout physical(shape);
  std::vector<std::byte> buffer(BytesOf(physical.buffer_elements(), bits));
  if (padding != 0) {
    std::byte element[16] = {};
    std::memcpy(element, &padding, sizeof padding);
    for (std::int64_t i = 0; i < physical.buffer_elements(); ++i) WriteBits(buffer, i, bits, element);
  }
  const int storage = StorageBytes(shape.element_type());
  ForEachElement(shape, physical, [&](std::int64_t row_major, std::int64_t offset) {
    WriteBits(buffer, offset, bits, literal.data() + row_major * storage);
  });
  return buffer;
}

Result<Literal> FromBuffer(std::span<const std::byte> buffer, const Shape& shape) {
  ASSAY_CHECK_OK(ValidateArray(shape));
  ASSAY_TRY(const std::int64_t bits, ElementBits(shape));
  const PhysicalLayout physical(shape);
  const auto expected = static_cast<std::size_t>(BytesOf(physical.buffer_elements(), bits));
  if (buffer.size() != expected) {
    return Error{ErrorCode::kInput,
                 fmt::format("{}: expected a buffer of {} bytes, found {}", shape.ToString(), expected, buffer.size())};
  }
  Literal literal = Literal::Uninitialized(shape);
  std::byte* elements = literal.mutable_data();
  const int storage = StorageBytes(shape.element_type());
  const bool is_signed = IsSignedIntegralType(shape.element_type());
  ForEachElement(shape, physical, [&](std::int64_t row_major, std::int64_t offset) {
    ReadBits(buffer, offset, bits, is_signed, elements + row_major * storage);
  });
  return literal;
}

}  // namespace assay
