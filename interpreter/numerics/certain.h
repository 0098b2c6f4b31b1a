// Stores approximations whose error cannot change the rounded result. Shared by the real and the complex functions.
#pragma once

#include <array>
#include <cstring>
#include <optional>

#include "interpreter/numerics/functions.h"
#include "interpreter/numerics/round.h"

namespace assay {

inline constexpr std::int64_t kFunctionBlock = 256;

// The assumed bound on the relative error of the C library's double functions, for results of up to 32 bits. On glibc
// 2.36 none exceeds 2^-50.7 for an f32 operand: functions_exhaustive checks all of them.
inline constexpr double kNarrowError = 0x1p-44;

// Returns the bits that every number of the ball rounds to, if all round to one pattern. Zero is never certain.
std::optional<std::uint64_t> CertainBits(const FloatFormat& format, const Ball& ball);

// Stores approximations as f32 numbers. Returns false if the error bound leaves any of them undecided.
bool StoreCertainF32(const double* approximation, std::byte* out, std::int64_t count);

// Stores approximations, at most kFunctionBlock of them, of numbers of a type of up to 32 bits. Calls `exact` for the
// bits of those that the error bound leaves undecided.
template <class Exact>
void StoreWhereCertain(PrimitiveType type, const double* approximation, std::byte* out, std::int64_t count,
                       Exact exact) {
  if (type == F32 && StoreCertainF32(approximation, out, count)) return;
  std::array<double, kFunctionBlock> lower = {};
  std::array<double, kFunctionBlock> upper = {};
  for (std::int64_t i = 0; i < count; ++i) {
    lower[i] = approximation[i] * (1 - kNarrowError);
    upper[i] = approximation[i] * (1 + kNarrowError);
  }
  std::array<std::byte, kFunctionBlock * sizeof(float)> other;
  StoreReals(type, lower.data(), out, count);
  StoreReals(type, upper.data(), other.data(), count);
  const auto width = static_cast<std::size_t>(StorageBytes(type));
  // A format without a zero rounds numbers too small for double to its least number: an approximation of 0 is undecided
  // there.
  const bool doubt_all = !FloatFormatOf(type).has_zero;
  if (!doubt_all && std::memcmp(out, other.data(), static_cast<std::size_t>(count) * width) == 0) return;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * width;
    if (!doubt_all && std::memcmp(out + at, other.data() + at, width) == 0) continue;
    const std::uint64_t bits = exact(i);
    std::memcpy(out + at, &bits, width);
  }
}

}  // namespace assay
