#include "interpreter/numerics/transform_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "interpreter/numerics/round.h"
#include "interpreter/types/vector_clones.h"

namespace assay {
namespace {

// The partial results of a loop over an array: enough for vectors side by side.
constexpr std::int64_t kPartial = 32;

ASSAY_VECTOR_CLONES bool HasOnlyFinite(const double* numbers, std::int64_t n) {
  std::int64_t beyond = 0;
  for (std::int64_t i = 0; i < n; ++i) beyond |= std::fabs(numbers[i]) <= std::numeric_limits<double>::max() ? 0 : 1;
  return beyond == 0;
}

ASSAY_VECTOR_CLONES double Largest(const double* numbers, std::int64_t n) {
  double largest[kPartial] = {};
  const auto take = [&](std::int64_t j, double number) {
    const double magnitude = std::fabs(number);
    largest[j] = magnitude > largest[j] ? magnitude : largest[j];
  };
  std::int64_t i = 0;
  for (; i + kPartial <= n; i += kPartial) {
    for (std::int64_t j = 0; j < kPartial; ++j) take(j, numbers[i + j]);
  }
  for (std::int64_t j = 0; i + j < n; ++j) take(j, numbers[i + j]);
  return *std::max_element(largest, largest + kPartial);
}

template <int step>
ASSAY_INLINE double ScaleEach(const double* from, double factor, double other_factor, double* to, std::int64_t n) {
  double sums[kPartial] = {};
  const auto scale = [&](std::int64_t j, std::int64_t i) {
    to[i] = from[step * i] * factor * other_factor;
    sums[j] += std::fabs(to[i]);
  };
  std::int64_t i = 0;
  for (; i + kPartial <= n; i += kPartial) {
    for (std::int64_t j = 0; j < kPartial; ++j) scale(j, i + j);
  }
  for (std::int64_t j = 0; i + j < n; ++j) scale(j, i + j);
  return std::accumulate(sums, sums + kPartial, 0.0);
}

ASSAY_VECTOR_CLONES double ScaleAdjacent(const double* from, double factor, double other_factor, double* __restrict to,
                                         std::int64_t n) {
  return ScaleEach<1>(from, factor, other_factor, to, n);
}
ASSAY_VECTOR_CLONES double ScalePairs(const double* from, double factor, double other_factor, double* __restrict to,
                                      std::int64_t n) {
  return ScaleEach<2>(from, factor, other_factor, to, n);
}

// Numbers that are rounded together.
constexpr std::int64_t kRounded = 512;

// Rounds up to kRounded numbers to every `step`th place. Returns false if one is undecided.
template <int step>
ASSAY_INLINE bool RoundEach(const double* numbers, std::int64_t count, const RoundingScale& scale, float* out,
                            std::uint8_t* decided) {
  const double divisor = scale.divisor, error = scale.error, unit = scale.unit;
  std::int32_t all = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const double quotient = numbers[i] / divisor, magnitude = std::fabs(quotient), off = error + magnitude * 0x1p-51;
    const auto below = static_cast<float>((quotient - off) * unit), above = static_cast<float>((quotient + off) * unit);
    const std::int32_t is_decided = (below == above) & (magnitude > off);
    out[step * i] = below;
    decided[i] = static_cast<std::uint8_t>(is_decided);
    all &= is_decided;
  }
  return all != 0;
}

ASSAY_VECTOR_CLONES bool RoundReals(const double* numbers, std::int64_t count, const RoundingScale& scale, float* out,
                                    std::uint8_t* decided) {
  return RoundEach<1>(numbers, count, scale, out, decided);
}
ASSAY_VECTOR_CLONES bool RoundParts(const double* numbers, std::int64_t count, const RoundingScale& scale, float* out,
                                    std::uint8_t* decided) {
  return RoundEach<2>(numbers, count, scale, out, decided);
}

template <class Round>
void RoundBlocks(std::span<const double> numbers, const Round& round, std::int64_t step, std::int64_t first,
                 std::vector<std::int64_t>& undecided) {
  std::uint8_t decided[kRounded];
  for (std::size_t begin = 0; begin < numbers.size(); begin += kRounded) {
    const auto count = static_cast<std::int64_t>(std::min<std::size_t>(kRounded, numbers.size() - begin));
    const std::int64_t at = first + step * static_cast<std::int64_t>(begin);
    if (round(numbers.data() + begin, count, at, decided)) continue;
    for (std::int64_t i = 0; i < count; ++i) {
      if (decided[i] == 0) undecided.push_back(at + step * i);
    }
  }
}

}  // namespace

bool AreFinite(std::span<const double> numbers) {
  return HasOnlyFinite(numbers.data(), static_cast<std::int64_t>(numbers.size()));
}

double LargestMagnitude(std::span<const double> numbers) {
  return Largest(numbers.data(), static_cast<std::int64_t>(numbers.size()));
}

double LoadScaled(const double* from, std::int64_t step, double factor, double other_factor, std::span<double> to) {
  const auto n = static_cast<std::int64_t>(to.size());
  return step == 1 ? ScaleAdjacent(from, factor, other_factor, to.data(), n)
                   : ScalePairs(from, factor, other_factor, to.data(), n);
}

void RoundPairsToF32(std::span<const double> real, std::span<const double> imaginary, const RoundingScale& scale,
                     std::span<float> out, std::vector<std::int64_t>& undecided) {
  const auto round = [&](const double* numbers, std::int64_t count, std::int64_t at, std::uint8_t* decided) {
    return RoundParts(numbers, count, scale, &out[at], decided);
  };
  RoundBlocks(real, round, 2, 0, undecided);
  RoundBlocks(imaginary, round, 2, 1, undecided);
}

void RoundToF32(std::span<const double> real, const RoundingScale& scale, std::span<float> out,
                std::vector<std::int64_t>& undecided) {
  const auto round = [&](const double* numbers, std::int64_t count, std::int64_t at, std::uint8_t* decided) {
    return RoundReals(numbers, count, scale, &out[at], decided);
  };
  RoundBlocks(real, round, 1, 0, undecided);
}

std::optional<std::uint64_t> RoundedWord(const FloatFormat& format, const lanes::WordOf<double>& number,
                                         const WordScale& scale) {
  double high = number.hi, low = number.lo, error = scale.error;
  if (scale.divisor != 1) {
    const auto count = static_cast<double>(scale.divisor);
    const double quotient = high / count;
    low = (std::fma(-quotient, count, high) + low) / count;
    high = quotient;
    // The remainder is exact. The error of its quotient is less than 2^-105 of the number.
    error = error / count * (1 + 0x1p-50) + std::fabs(high) * 0x1p-104;
  }
  if (!(std::fabs(high) > 4 * (error + std::fabs(low)))) return std::nullopt;
  // The number must be far from the limits of double, so that scaling is exact.
  const int place = std::ilogb(high) - scale.exponent;
  if (place < -800 || place > 1000) return std::nullopt;
  error = error * (1 + 0x1p-50) + std::fabs(low) * 0x1p-52;
  high = std::ldexp(high, -scale.exponent);
  const std::uint64_t below = RoundDoubleDouble(format, high, std::ldexp(low - error, -scale.exponent));
  const std::uint64_t above = RoundDoubleDouble(format, high, std::ldexp(low + error, -scale.exponent));
  if (below != above) return std::nullopt;
  return below;
}

}  // namespace assay
