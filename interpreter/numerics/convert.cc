#include "interpreter/numerics/convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/numerics/round.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

constexpr std::int64_t kConversionBlock = 256;

template <class T>
ASSAY_INLINE void Widen(const std::byte* in, std::uint64_t* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, in + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    out[i] = static_cast<std::uint64_t>(value);
  }
}

template <class T>
void Narrow(const std::uint64_t* in, std::byte* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<T>(in[i]);
    std::memcpy(out + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
  }
}

void StoreBelowByte(int width, bool is_signed, const std::uint64_t* in, std::byte* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t top = in[i] << (64 - width);
    const std::uint64_t extended =
        is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(top) >> (64 - width)) : top >> (64 - width);
    out[i] = static_cast<std::byte>(extended);
  }
}

// Truncates towards zero and clamps to the range; NaN converts to 0.
void TruncateReals(PrimitiveType to, const double* in, std::uint64_t* out, std::int64_t count) {
  const int width = BitWidth(to);
  const bool is_signed = IsSignedIntegralType(to);
  const int magnitude_bits = is_signed ? width - 1 : width;
  const double end = std::ldexp(1.0, magnitude_bits);
  const double start = is_signed ? -end : 0.0;
  const std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max() >> (64 - width) >> (width - magnitude_bits);
  const std::uint64_t least = is_signed ? ~greatest : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = in[i];
    if (std::isnan(value)) {
      out[i] = 0;
    } else if (value >= end) {
      out[i] = greatest;
    } else if (value <= start) {
      out[i] = least;
    } else {
      out[i] =
          is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : static_cast<std::uint64_t>(value);
    }
  }
}

double ToReal(std::uint64_t bits, bool is_signed) {
  return is_signed ? static_cast<double>(static_cast<std::int64_t>(bits)) : static_cast<double>(bits);
}

// Converts the integers to doubles that round to `to` as the integers do. For a narrower format, magnitudes of 2^53 and
// more lose their low bits; if those are not zero, the last remaining bit is set (rounding to odd), so no later
// rounding to 24 bits or fewer sees a false tie.
void IntegersToReals(bool is_signed, PrimitiveType to, const std::uint64_t* in, double* out, std::int64_t count) {
  constexpr std::uint64_t kLow = 0x7ff;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t value = in[i];
    const std::uint64_t magnitude = is_signed && (value >> 63) != 0 ? 0 - value : value;
    if (to != F64 && magnitude >> 53 != 0 && (value & kLow) != 0) value = (value & ~kLow) | (kLow + 1);
    out[i] = ToReal(value, is_signed);
  }
}

bool IsInteger(PrimitiveType type) { return type == PRED || IsIntegralType(type); }

void LoadRealParts(PrimitiveType type, const std::byte* in, double* out, std::int64_t count) {
  if (!IsComplexType(type)) return LoadReals(type, in, out, count);
  std::array<double, 2 * kConversionBlock> parts;
  LoadReals(ComplexComponentType(type), in, parts.data(), 2 * count);
  for (std::int64_t i = 0; i < count; ++i) out[i] = parts[2 * i];
}

void StoreRealParts(PrimitiveType type, const double* in, std::byte* out, std::int64_t count) {
  if (!IsComplexType(type)) return StoreReals(type, in, out, count);
  std::array<double, 2 * kConversionBlock> parts{};
  for (std::int64_t i = 0; i < count; ++i) parts[2 * i] = in[i];
  StoreReals(ComplexComponentType(type), parts.data(), out, 2 * count);
}

void RealsToPred(PrimitiveType from, const std::byte* in, std::byte* out, std::int64_t count) {
  std::array<double, 2 * kConversionBlock> parts;
  const int parts_each = ComponentCount(from);
  LoadReals(ComplexComponentType(from), in, parts.data(), parts_each * count);
  for (std::int64_t i = 0; i < count; ++i) {
    bool nonzero = false;
    for (int k = 0; k < parts_each; ++k) nonzero = nonzero || parts[i * parts_each + k] != 0;
    out[i] = static_cast<std::byte>(nonzero);
  }
}

void ConvertBlock(PrimitiveType from, const std::byte* in, PrimitiveType to, std::byte* out, std::int64_t count) {
  std::array<std::uint64_t, kConversionBlock> integers;
  std::array<double, kConversionBlock> reals;
  if (IsInteger(from)) {
    LoadIntegers(from, in, integers.data(), count);
    if (IsInteger(to)) return StoreIntegers(to, integers.data(), out, count);
    const PrimitiveType component = ComplexComponentType(to);
    IntegersToReals(IsSignedIntegralType(from), component, integers.data(), reals.data(), count);
    return StoreRealParts(to, reals.data(), out, count);
  }
  if (to == PRED) return RealsToPred(from, in, out, count);
  if (IsComplexType(from) && IsComplexType(to)) {
    std::array<double, 2 * kConversionBlock> parts;
    LoadReals(ComplexComponentType(from), in, parts.data(), 2 * count);
    return StoreReals(ComplexComponentType(to), parts.data(), out, 2 * count);
  }
  LoadRealParts(from, in, reals.data(), count);
  if (!IsInteger(to)) return StoreRealParts(to, reals.data(), out, count);
  TruncateReals(to, reals.data(), integers.data(), count);
  StoreIntegers(to, integers.data(), out, count);
}

}  // namespace

ASSAY_VECTOR_CLONES void LoadIntegers(PrimitiveType type, const std::byte* in, std::uint64_t* out, std::int64_t count) {
  const bool is_signed = IsSignedIntegralType(type);
  switch (StorageBytes(type)) {
    case 1:
      is_signed ? Widen<std::int8_t>(in, out, count) : Widen<std::uint8_t>(in, out, count);
      break;
    case 2:
      is_signed ? Widen<std::int16_t>(in, out, count) : Widen<std::uint16_t>(in, out, count);
      break;
    case 4:
      is_signed ? Widen<std::int32_t>(in, out, count) : Widen<std::uint32_t>(in, out, count);
      break;
    default:
      Widen<std::uint64_t>(in, out, count);
  }
}

void StoreIntegers(PrimitiveType type, const std::uint64_t* in, std::byte* out, std::int64_t count) {
  if (type == PRED) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>(in[i] != 0);
    return;
  }
  if (BitWidth(type) < 8) return StoreBelowByte(BitWidth(type), IsSignedIntegralType(type), in, out, count);
  switch (StorageBytes(type)) {
    case 1:
      return Narrow<std::uint8_t>(in, out, count);
    case 2:
      return Narrow<std::uint16_t>(in, out, count);
    case 4:
      return Narrow<std::uint32_t>(in, out, count);
    default:
      return Narrow<std::uint64_t>(in, out, count);
  }
}

void Convert(PrimitiveType from, const std::byte* in, PrimitiveType to, std::byte* out, std::int64_t count) {
  const std::int64_t in_bytes = StorageBytes(from);
  const std::int64_t out_bytes = StorageBytes(to);
  if (from == to) {
    if (count > 0) std::memcpy(out, in, static_cast<std::size_t>(count * in_bytes));
    return;
  }
  for (std::int64_t start = 0; start < count; start += kConversionBlock) {
    ConvertBlock(from, in + start * in_bytes, to, out + start * out_bytes, std::min(kConversionBlock, count - start));
  }
}

}  // namespace assay
