#include "conformance/exporting/number_line.h"

#include <algorithm>
#include <cstring>

#include "interpreter/types/float_format.h"

namespace assay {
namespace {

// Returns the bits of a number's storage, which is whole bytes.
std::uint64_t StorageMask(PrimitiveType type) {
  const int bits = 8 * StorageBytes(type);
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

}  // namespace

NumberLine::NumberLine(PrimitiveType type) : type_(type), first_(0), last_(1) {
  const int bits = BitWidth(type);
  if (IsFloatingPointType(type)) {
    const FloatFormat& format = FloatFormatOf(type);
    last_ = static_cast<Position>(format.max_finite_bits()) + (format.has_infinity ? 1 : 0);
    first_ = format.has_sign ? -last_ - 1 : 0;
  } else if (IsIntegralType(type)) {
    const bool is_signed = IsSignedIntegralType(type);
    last_ = (static_cast<Position>(1) << (is_signed ? bits - 1 : bits)) - 1;
    first_ = is_signed ? -last_ - 1 : 0;
  }
}

NumberLine::Position NumberLine::Clamp(Position position) const { return std::clamp(position, first_, last_); }

NumberLine::Position NumberLine::Of(std::uint64_t bits) const {
  if (IsFloatingPointType(type_)) {
    const FloatFormat& format = FloatFormatOf(type_);
    const auto magnitude = static_cast<Position>(bits & format.magnitude_mask());
    return (bits & format.sign_mask()) != 0 ? -magnitude - 1 : magnitude;
  }
  if (!IsSignedIntegralType(type_)) return static_cast<Position>(bits & StorageMask(type_));
  const int shift = 64 - 8 * StorageBytes(type_);
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

std::uint64_t NumberLine::BitsAt(Position position) const {
  if (!IsFloatingPointType(type_)) return static_cast<std::uint64_t>(position) & StorageMask(type_);
  const FloatFormat& format = FloatFormatOf(type_);
  if (position >= 0) return static_cast<std::uint64_t>(position);
  // A format whose -0 is NaN has +0 in its place.
  if (position == -1 && !format.has_negative_zero) return 0;
  return static_cast<std::uint64_t>(-position - 1) | format.sign_mask();
}

bool NumberLine::IsNan(std::uint64_t bits) const {
  return IsFloatingPointType(type_) && FloatFormatOf(type_).is_nan(bits);
}

std::uint64_t ComponentBits(const Literal& array, std::int64_t component) {
  const int size = StorageBytes(ComplexComponentType(array.element_type()));
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.data() + component * size, static_cast<std::size_t>(size));
  return bits;
}

void SetComponentBits(Literal& array, std::int64_t component, std::uint64_t bits) {
  const int size = StorageBytes(ComplexComponentType(array.element_type()));
  std::memcpy(array.mutable_data() + component * size, &bits, static_cast<std::size_t>(size));
}

}  // namespace assay
