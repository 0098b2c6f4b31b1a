// Conversion of whole arrays to and from double. The loops have neither branches nor calls, so that they vectorize.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#include "interpreter/numerics/round.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

template <class T>
ASSAY_INLINE T LoadAs(const std::byte* in, std::int64_t i) {
  T value;
  std::memcpy(&value, in + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T>
ASSAY_INLINE void StoreAt(std::byte* out, std::int64_t i, T value) {
  std::memcpy(out + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

// Returns the 256 values of a format of at most eight bits. Ignores bits above a narrower format's width.
const std::array<double, 256>& ValueTable(const FloatFormat& format) {
  using Table = std::array<double, 256>;
  static const auto tables = [] {
    std::array<std::unique_ptr<const Table>, kPrimitiveTypeCount> result;
    for (const PrimitiveType type : ArrayTypes()) {
      if (!IsFloatingPointType(type) || BitWidth(type) > 8) continue;
      auto table = std::make_unique<Table>();
      for (int code = 0; code < 256; ++code) {
        (*table)[code] = ToDouble(FloatFormatOf(type), code & ((1 << BitWidth(type)) - 1));
      }
      result[type] = std::move(table);
    }
    return result;
  }();
  return *tables[format.type];
}

// The pattern, shifted to a double's exponent and fraction, is the value up to a power of two. The multiplication
// normalizes subnormals exactly.
ASSAY_VECTOR_CLONES void LoadF16(const std::byte* in, double* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = LoadAs<std::uint16_t>(in, i);
    const std::uint64_t magnitude = (bits & 0x7fff) << 42;
    const double finite = std::bit_cast<double>(magnitude) * 0x1p1008;
    const std::uint64_t quiet = (bits & 0x3ff) != 0 ? std::uint64_t{1} << 51 : 0;
    const std::uint64_t special = magnitude | 0x7ff0000000000000 | quiet;
    const std::uint64_t value = (bits & 0x7c00) == 0x7c00 ? special : std::bit_cast<std::uint64_t>(finite);
    out[i] = std::bit_cast<double>(value | (bits & 0x8000) << 48);
  }
}

ASSAY_VECTOR_CLONES void LoadBf16(const std::byte* in, double* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = std::bit_cast<float>(std::uint32_t{LoadAs<std::uint16_t>(in, i)} << 16);
  }
}

ASSAY_VECTOR_CLONES void LoadF32(const std::byte* in, double* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = LoadAs<float>(in, i);
}

// Rounds to a format of at most 16 bits that has a sign and a zero.
template <class Code>
ASSAY_INLINE void StoreNarrow(const FloatFormat& format, const double* in, std::byte* __restrict out,
                              std::int64_t count) {
  const int drop = 52 - format.mantissa_bits;
  const std::uint64_t half_less_one = (std::uint64_t{1} << (drop - 1)) - 1;
  const std::uint64_t rebias = static_cast<std::uint64_t>(1023 - format.bias) << format.mantissa_bits;
  const double least_normal = std::ldexp(1.0, format.min_exponent());
  // Adding this to a number below the least normal one rounds the number at the format's last place.
  const double anchor = std::ldexp(1.5, format.min_exponent() + drop);
  const auto anchor_bits = std::bit_cast<std::uint64_t>(anchor);
  const double limit = ToDouble(format, format.max_finite_bits());
  const double overflow = limit + std::ldexp(limit - ToDouble(format, format.max_finite_bits() - 1), -1);
  // The tie at the limit rounds to the even neighbor: the one beyond if the largest code is odd.
  const double threshold = (format.max_finite_bits() & 1) != 0 ? overflow : std::nextafter(overflow, INFINITY);
  const std::uint64_t sign_mask = format.sign_mask();
  const std::uint64_t signed_zero = format.has_negative_zero ? sign_mask : 0;
  const std::uint64_t overflow_bits = format.overflow_bits(false), negative_overflow_bits = format.overflow_bits(true);
  const std::uint64_t nan_bits = format.nan_bits(false), negative_nan_bits = format.nan_bits(true);
  const std::uint64_t payload_mask = format.nan == NanEncoding::kIeee ? format.mantissa_mask() : 0;

  for (std::int64_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(in[i]);
    const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
    const double value = std::bit_cast<double>(magnitude);
    const std::uint64_t negative = bits >> 63;
    const std::uint64_t normal = ((magnitude + half_less_one + ((magnitude >> drop) & 1)) >> drop) - rebias;
    const std::uint64_t subnormal = std::bit_cast<std::uint64_t>(value + anchor) - anchor_bits;
    std::uint64_t code = value < least_normal ? subnormal : normal;
    code |= (0 - negative) & (code == 0 ? signed_zero : sign_mask);
    code = value >= threshold ? (negative != 0 ? negative_overflow_bits : overflow_bits) : code;
    const std::uint64_t nan = (negative != 0 ? negative_nan_bits : nan_bits) | ((magnitude >> drop) & payload_mask);
    code = value != value ? nan : code;
    StoreAt<Code>(out, i, static_cast<Code>(code));
  }
}

ASSAY_VECTOR_CLONES void StoreWords(const FloatFormat& format, const double* in, std::byte* __restrict out,
                                    std::int64_t count) {
  StoreNarrow<std::uint16_t>(format, in, out, count);
}
ASSAY_VECTOR_CLONES void StoreBytes(const FloatFormat& format, const double* in, std::byte* __restrict out,
                                    std::int64_t count) {
  StoreNarrow<std::uint8_t>(format, in, out, count);
}

ASSAY_VECTOR_CLONES void StoreF32(const double* in, std::byte* __restrict out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) StoreAt<float>(out, i, static_cast<float>(in[i]));
}

}  // namespace

void LoadReals(PrimitiveType type, const std::byte* in, double* out, std::int64_t count) {
  switch (type) {
    case F64:
      if (count > 0) std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(double));
      return;
    case F32:
      return LoadF32(in, out, count);
    case F16:
      return LoadF16(in, out, count);
    case BF16:
      return LoadBf16(in, out, count);
    default: {
      const std::array<double, 256>& table = ValueTable(FloatFormatOf(type));
      for (std::int64_t i = 0; i < count; ++i) out[i] = table[LoadAs<std::uint8_t>(in, i)];
    }
  }
}

void StoreReals(PrimitiveType type, const double* in, std::byte* out, std::int64_t count) {
  const FloatFormat& format = FloatFormatOf(type);
  if (type == F64) {
    if (count > 0) std::memcpy(out, in, static_cast<std::size_t>(count) * sizeof(double));
  } else if (type == F32) {
    StoreF32(in, out, count);
  } else if (!format.has_sign) {
    for (std::int64_t i = 0; i < count; ++i) {
      StoreAt<std::uint8_t>(out, i, static_cast<std::uint8_t>(RoundDouble(format, in[i])));
    }
  } else if (StorageBytes(type) == 2) {
    StoreWords(format, in, out, count);
  } else {
    StoreBytes(format, in, out, count);
  }
}

}  // namespace assay
