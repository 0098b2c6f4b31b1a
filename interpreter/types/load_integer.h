// An integer of any width, read from memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "interpreter/types/primitive_type.h"

namespace assay {

// Returns the integer or predicate of this type at `at`. A u64 keeps its bits, so that one of 2^63 or more is negative.
inline std::int64_t LoadInteger(PrimitiveType type, const std::byte* at) {
  const auto load = [at]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<std::int64_t>(value);
  };
  const bool is_signed = IsSignedIntegralType(type);
  switch (StorageBytes(type)) {
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

}  // namespace assay
