// The parts of the numbers that a transform reads, and the rounding of those that it computes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/numerics/lanes.h"
#include "interpreter/types/float_format.h"

namespace assay {

bool AreFinite(std::span<const double> numbers);

// Returns the largest magnitude of finite numbers.
double LargestMagnitude(std::span<const double> numbers);

// Writes every `step`th number from `from` on, times two factors, and returns the sum of the magnitudes written. `step`
// is 1 or 2.
double LoadScaled(const double* from, std::int64_t step, double factor, double other_factor, std::span<double> to);

// The scale of sums that are rounded: a result is (number / divisor) * unit, where `unit` is a power of two and the
// quotient is off by less than `error` and three roundings.
struct RoundingScale {
  double divisor = 1, error = 0, unit = 1;
};

// Rounds numbers to f32, and appends the places in `out` of those that the error leaves undecided. Zero is never
// decided. A number has a pair of places for its parts.
void RoundPairsToF32(std::span<const double> real, std::span<const double> imaginary, const RoundingScale& scale,
                     std::span<float> out, std::vector<std::int64_t>& undecided);
// The same for real numbers.
void RoundToF32(std::span<const double> real, const RoundingScale& scale, std::span<float> out,
                std::vector<std::int64_t>& undecided);

// The scale of a sum in double words: a result is (number / divisor) * 2^-exponent, and the number is off by less than
// `error`.
struct WordScale {
  std::int64_t divisor = 1;
  double error = 0;
  int exponent = 0;
};

// Returns the common rounding of all numbers within the error; nullopt if they differ.
std::optional<std::uint64_t> RoundedWord(const FloatFormat& format, const lanes::WordOf<double>& number,
                                         const WordScale& scale);

}  // namespace assay
