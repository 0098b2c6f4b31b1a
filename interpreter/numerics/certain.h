// Storing approximations where their error cannot matter. Shared by the real and the complex functions.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "interpreter/numerics/functions.h"
#include "interpreter/numerics/round.h"

namespace assay {

inline constexpr std::int64_t kFunctionBlock = 256;

// Relative error bounds of the quick phases. glibc documents at most 4 units in the last place for any function used
// here, real or complex, in each part: 2^-50 in double and 2^-61 in the x87's 64-bit long double. The margins are for
// what it does not know.
inline constexpr double kNarrowError = 0x1p-44;
inline constexpr long double kF64Error = 0x1p-58L;

// Stores approximations as f32 numbers. False if the error bound leaves any of them in doubt.
bool StoreCertainF32(const double* approximation, std::byte* out, std::int64_t count);

// Stores approximations, at most kFunctionBlock of them, of numbers of a type of up to 32 bits; asks `exact` for the
// bits of those that the error bound leaves in doubt.
template <class Exact>
void StoreWhereCertain(PrimitiveType type, const double* approximation, std::byte* out, std::int64_t count,
                       Exact exact) {
  if (type == F32 && !EverythingInDoubt() && StoreCertainF32(approximation, out, count)) return;
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
  // In a format without a zero, a number too small for double is not nothing: 0 is no safe approximation there.
  const bool doubt_all = EverythingInDoubt() || !FloatFormatOf(type).has_zero;
  if (!doubt_all && std::memcmp(out, other.data(), static_cast<std::size_t>(count) * width) == 0) return;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * width;
    if (!doubt_all && std::memcmp(out + at, other.data() + at, width) == 0) continue;
    const std::uint64_t bits = exact(i);
    std::memcpy(out + at, &bits, width);
  }
}

// Rounds an approximation to f64, or asks `exact` for the bits.
template <class Exact>
double CertainF64(long double approximation, bool trusted, Exact exact) {
  const long double error = std::fabs(approximation) * kF64Error;
  const auto lower = static_cast<double>(approximation - error);
  const auto upper = static_cast<double>(approximation + error);
  const bool special = std::isnan(approximation) || std::isinf(approximation);
  const bool certain = LDBL_MANT_DIG >= 64 && trusted && !EverythingInDoubt() && (lower == upper || special);
  if (!certain) return ToDouble(FloatFormatOf(F64), exact());
  return special ? static_cast<double>(approximation) : lower;
}

}  // namespace assay
